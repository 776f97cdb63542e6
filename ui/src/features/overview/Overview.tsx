import { useState } from "react";
import { isSlim } from "../../design/layout/media";
import { Panel } from "../../design/layout/Panel";
import { Split } from "../../design/layout/Split";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Attention } from "./Attention";
import { Calm } from "./Calm";
import { ComingUp } from "./ComingUp";
import { FirstSteps } from "./FirstSteps";
import { NoRobots } from "./NoRobots";
import styles from "./Overview.module.css";
import { commonFrame } from "../../domain/scene/flat/scene-model";
import { RobotTable } from "./RobotTable";
import { SiteView } from "./SiteView";

/** Is everything all right? Answered within five seconds. */
export function Overview() {
  const robots = useRows("robots", "list_robots", {});
  return (
    <Rows query={robots} what={t("overview.robots")}>
      {({ rows }) => (rows.length === 0 ? <NoRobots /> : <Watched robots={rows} />)}
    </Rows>
  );
}

/** Widths of the watch column, px: the three lines of a robot fit, and the scene keeps the most. */
const WATCH_PX = { usual: 328, slim: 304, min: 264, max: 560 };

/** The watch column and the scene; a robot chosen in one is chosen in the other. */
function Watched({ robots }: { robots: readonly RobotRow[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Split
      id="overview"
      label={t("overview.watch_width")}
      along="row"
      first_px={isSlim() ? WATCH_PX.slim : WATCH_PX.usual}
      min_px={WATCH_PX.min}
      max_px={WATCH_PX.max}
      first={
        <div className={styles.watch}>
          <Calm robots={robots} />
          <Panel
            title={t("overview.robots")}
            aside={<span className={styles.frame}>{t("overview.positions_in", { frame: commonFrame(robots) })}</span>}
          >
            <RobotTable robots={robots} chosen={chosen} onChoose={setChosen} />
          </Panel>
          <Attention robots={robots} />
          <ComingUp />
          <FirstSteps robots={robots} />
        </div>
      }
      second={<SiteView robots={robots} chosen={chosen} onChoose={setChosen} />}
    />
  );
}
