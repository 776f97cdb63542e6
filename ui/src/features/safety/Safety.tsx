import { useLocation } from "wouter";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { AdminGrant } from "../../domain/station/AdminGrant";
import { Segments } from "../../design/components/Segments";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { stopShortcutText } from "../../domain/stop/stop-shortcut";
import { useLive } from "../../domain/station/useLive";
import { zoneFrom } from "../../domain/scene/flat/drawn-zone";
import { AuditSection } from "../../domain/audit/AuditSection";
import { AuditNotice } from "./AuditNotice";
import { Locks } from "./Locks";
import { RobotLimits } from "./RobotLimits";
import { RobotsTable } from "./RobotsTable";
import styles from "./Safety.module.css";
import { SafetyNumbers } from "./SafetyNumbers";
import { StandingApprovals } from "./StandingApprovals";
import sections from "./sections.module.css";

type SafetyProps = { robot: string | undefined; limit?: string | undefined; zone?: string; numbers?: string };

/**
 * Sets limits, and shows how close each robot is to them. `robot` is whose limits are shown; all robots without one.
 * `limit` is the one looked for, with the `numbers` to which it was moved on a scene; `zone` is one that was drawn there.
 */
export function Safety({ robot, limit, zone, numbers }: SafetyProps) {
  const robots = useRows("robots", "list_robots", {});
  return (
    <Rows query={robots} what={t("overview.robots")}>
      {({ rows }) => {
        const shown = rows.find(({ id }) => id === robot);
        return (
          <div className={styles.safety}>
            <Head robots={rows} shown={shown?.id ?? ""} />
            <AuditNotice />
            {shown ? (
              <RobotLimits
                // Another address opens a form of its own: the draft of another robot must not go on.
                key={`${shown.id} ${zone ?? ""} ${numbers ?? ""}`}
                robot={shown}
                limit={limit}
                moved={numbers}
                adding={zone === undefined ? null : { drawn: zoneFrom(zone, shown.frames) }}
              />
            ) : (
              <>
                <Panel title={t("safety.robots")}>
                  <RobotsTable robots={rows} />
                </Panel>
                <StandingApprovals robot={null} />
                <Locks robot={null} />
                <StopSection />
                <SafetyNumbers />
                <AuditSection />
              </>
            )}
          </div>
        );
      }}
    </Rows>
  );
}

function Head({ robots, shown }: { robots: readonly RobotRow[]; shown: string }) {
  const [, navigate] = useLocation();
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>{t("safety.title")}</h1>
      <Segments
        label={t("overview.robots")}
        value={shown}
        options={[{ value: "", text: t("safety.all") }, ...robots.map(({ id }) => ({ value: id, text: id }))]}
        onChange={(id) => navigate(id === "" ? "/safety" : `/safety/${id}`)}
      />
      <div className={styles.end}>
        <AdminGrant />
      </div>
    </header>
  );
}

/** Ways to stop all robots without this window (U-1609). */
function StopSection() {
  const shortcut = useLive((store) => store.session?.stop_shortcut ?? null);
  if (shortcut === null) return null;
  return (
    <Panel title={t("safety.stop_ways")}>
      <p className={sections.line} data-testid="stop-ways">
        {stopShortcutText(shortcut)}
      </p>
    </Panel>
  );
}
