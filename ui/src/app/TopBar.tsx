import { Link } from "wouter";
import type { AlarmRow } from "../generated/bindings/AlarmRow";
import { worstUnacknowledged } from "../domain/alarm/alarm-state";
import { useRows } from "../domain/station/useRows";
import { t } from "../locales/i18n";
import { isOpen } from "../domain/proposal/proposal-state";
import { AlarmBadge } from "./AlarmBadge";
import { ModeMark } from "./ModeMark";
import { RobotChips } from "./RobotChips";
import { StationLink } from "./StationLink";
import styles from "./TopBar.module.css";
import { useAlarmSound } from "./useAlarmSound";

const NO_ALARMS: readonly AlarmRow[] = [];

/** Never covered. Its right end belongs to STOP ALL, which is another root. */
export function TopBar() {
  const robots = useRows("robots", "list_robots", {});
  const proposals = useRows("proposals", "list_proposals", {});
  const alarms = useRows("alarms", "list_alarms", { preset: "active" });
  useAlarmSound(alarms.data?.rows ?? NO_ALARMS);
  const alarmed = worstUnacknowledged(alarms.data?.rows ?? NO_ALARMS) !== null;
  const waiting = (proposals.data?.rows ?? []).filter(({ state }) => isOpen(state)).length;
  const site = robots.data?.rows[0]?.site ?? t("shell.no_site");
  return (
    <header className={styles.bar}>
      <p className={styles.site}>{site}</p>
      <ModeMark />
      <RobotChips robots={robots.data?.rows ?? []} alarmed={alarmed} />
      <div className={styles.end} data-alarmed={alarmed}>
        <AlarmBadge alarms={alarms.data?.rows ?? NO_ALARMS} />
        <StationLink />
        <Link href="/approvals" className={styles.count} data-waiting={waiting > 0}>
          {t("approvals.count", { count: waiting })}
        </Link>
      </div>
    </header>
  );
}
