import { useLocation } from "wouter";
import { AdminGrant } from "../../domain/station/AdminGrant";
import { Segments } from "../../design/components/Segments";
import screen from "../../design/layout/screen.module.css";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { AboutSection } from "./AboutSection";
import { AuditSection } from "../../domain/audit/AuditSection";
import { AccessSection } from "./AccessSection";
import { AgentsSection } from "./AgentsSection";
import { AppearanceSection } from "./AppearanceSection";
import { AuditList } from "./AuditList";
import { ConnectionsSection } from "./ConnectionsSection";
import { FindRobot } from "./find/FindRobot";
import { KeysSection } from "./KeysSection";
import { LedgerSection } from "./LedgerSection";
import { ProvidersSection } from "./ProvidersSection";
import { SimulatorSection } from "./SimulatorSection";
import { ToolsSection } from "./ToolsSection";

const SECTIONS = [
  "providers",
  "keys",
  "access",
  "connections",
  "agents",
  "tools",
  "budget",
  "audit",
  "simulator",
  "appearance",
  "about",
] as const;
type Section = (typeof SECTIONS)[number];
/** The page that leads from the connections to a robot. */
const FIND_ROBOT = "find-robot";

/** Model providers, keys, access, connections, agents, tools, budget, audit, simulator, the look of this desk, and what this is. Each section saves by itself (U-1707). */
export function Admin({ section }: { section: string | undefined }) {
  const [, navigate] = useLocation();
  const finds = section === FIND_ROBOT;
  const shown = finds ? "connections" : (SECTIONS.find((name) => name === section) ?? "providers");
  return (
    <div className={`${screen.screen} ${styles.admin}`}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.admin")}</h1>
        <Segments
          label={t("settings.sections")}
          value={shown}
          options={SECTIONS.map((value) => ({ value, text: t(`settings.${value}`) }))}
          onChange={(next) => navigate(`/admin/${next}`)}
        />
        <div className={screen.end}>
          <AdminGrant />
        </div>
      </header>
      {finds ? <FindRobot /> : <Shown section={shown} />}
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
    case "about":
      return <AboutSection />;
  }
}
