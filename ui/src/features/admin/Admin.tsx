import { AdminGrant } from "../../domain/station/AdminGrant";
import screen from "../../design/layout/screen.module.css";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { AboutSection } from "./AboutSection";
import { AuditSection } from "../../domain/audit/AuditSection";
import { AccessSection } from "./AccessSection";
import { AdminNav } from "./AdminNav";
import { AgentsSection } from "./AgentsSection";
import { AppearanceSection } from "./AppearanceSection";
import { AuditList } from "./AuditList";
import { ConnectionsSection } from "./ConnectionsSection";
import { FindRobot } from "./find/FindRobot";
import { KeysSection } from "./KeysSection";
import { LedgerSection } from "./LedgerSection";
import { ProvidersSection } from "./ProvidersSection";
import { ShortcutsSection } from "./shortcuts/ShortcutsSection";
import { SimulatorSection } from "./SimulatorSection";
import { type Section, SECTIONS } from "./sections";
import { ToolsSection } from "./ToolsSection";

/** The page that leads from the connections to a robot. */
const FIND_ROBOT = "find-robot";

/** Settings of the station and of this desk, section by section; each saves by itself (U-1707). */
export function Admin({ section }: { section: string | undefined }) {
  const finds = section === FIND_ROBOT;
  const shown = finds ? "connections" : (SECTIONS.find((name) => name === section) ?? "providers");
  return (
    <div className={styles.admin}>
      <AdminNav shown={shown} />
      {/* Its key begins each section at the top; Tab stops at it so that arrow keys can scroll it. */}
      <div key={shown} className={`${screen.screen} ${styles.content}`} tabIndex={0} data-testid="admin-section">
        <header className={`${screen.head} ${styles.head}`}>
          <h2 className={screen.title}>{t(`settings.${shown}`)}</h2>
          <div className={screen.end}>
            <AdminGrant />
          </div>
        </header>
        {finds ? <FindRobot /> : <Shown section={shown} />}
      </div>
    </div>
  );
}

function Shown({ section }: { section: Section }) {
  switch (section) {
    case "providers":
      return <ProvidersSection />;
    case "keys":
      return <KeysSection />;
    case "access":
      return <AccessSection />;
    case "connections":
      return <ConnectionsSection />;
    case "agents":
      return <AgentsSection />;
    case "tools":
      return <ToolsSection />;
    case "budget":
      return <LedgerSection />;
    case "audit":
      return (
        <>
          <AuditSection />
          <AuditList />
        </>
      );
    case "simulator":
      return <SimulatorSection />;
    case "appearance":
      return <AppearanceSection />;
    case "shortcuts":
      return <ShortcutsSection />;
    case "about":
      return <AboutSection />;
  }
}
