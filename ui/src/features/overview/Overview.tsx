import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { Attention } from "./Attention";
import { Calm } from "./Calm";
import { NoRobots } from "./NoRobots";
import styles from "./Overview.module.css";
import { RobotTable } from "./RobotTable";
import { SiteView } from "./SiteView";

/** Is everything all right? Answered within five seconds. */
export function Overview() {
  const robots = useRows("robots", "list_robots", {});
  return (
    <Rows query={robots} what={t("overview.robots")}>
      {({ rows }) =>
        rows.length === 0 ? (
          <NoRobots />
        ) : (
          <div className={styles.overview}>
            <Calm robots={rows} />
            <Panel title={t("overview.robots")}>
              <RobotTable robots={rows} />
            </Panel>
            <div className={styles.lower}>
              <SiteView robots={rows} />
              <Attention robots={rows} />
            </div>
          </div>
        )
      }
    </Rows>
  );
}
