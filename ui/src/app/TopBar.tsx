import { Link } from "wouter";
import { useRows } from "../shared/hooks/useRows";
import { t } from "../shared/i18n";
import { isOpen } from "../shared/proposal/proposal-state";
import { ModeMark } from "./ModeMark";
import { RobotChips } from "./RobotChips";
import { StationLink } from "./StationLink";
import styles from "./TopBar.module.css";

/** Never covered. Its right end belongs to STOP ALL, which is another root. */
export function TopBar() {
  const robots = useRows("robots", "list_robots", {});
  const proposals = useRows("proposals", "list_proposals", {});
  const waiting = (proposals.data?.rows ?? []).filter(({ state }) => isOpen(state)).length;
  const site = robots.data?.rows[0]?.site ?? t("shell.no_site");
  return (
    <header className={styles.bar}>
      <p className={styles.site}>{site}</p>
      <ModeMark />
      <RobotChips robots={robots.data?.rows ?? []} />
      <div className={styles.end}>
        <StationLink />
        <Link href="/approvals" className={styles.count} data-waiting={waiting > 0}>
          {t("approvals.count", { count: waiting })}
        </Link>
      </div>
    </header>
  );
}
