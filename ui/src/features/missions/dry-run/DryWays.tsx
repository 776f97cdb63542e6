import { useState } from "react";
import type { MissionDryStep } from "../../../generated/bindings/MissionDryStep";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { AnyScene } from "../../../domain/scene/AnyScene";
import { placeGoal } from "../../../domain/scene/flat/scene-model";
import { useSceneModel } from "../../../domain/scene/flat/useSceneModel";
import { type SceneView, ViewChoice } from "../../../domain/scene/ViewChoice";
import { useRows } from "../../../domain/station/useRows";
import styles from "./DryRun.module.css";

type DryWaysProps = { steps: readonly MissionDryStep[] };

/** The ways of the whole run as ghosts, among the robots as they stand now. */
export function DryWays(props: DryWaysProps) {
  const robots = useRows("robots", "list_robots", {});
  const hasWays = props.steps.some(({ motion }) => motion !== null && motion.preview !== null);
  return hasWays && robots.data ? <Drawn {...props} robots={robots.data.rows} /> : null;
}

function Drawn({ steps, robots }: DryWaysProps & { robots: readonly RobotRow[] }) {
  const site = useSceneModel(robots);
  const [view, setView] = useState<SceneView>("top");
  const goals = steps.flatMap(({ motion }) => (motion && placeGoal(motion, robots, site.frame)) ?? []);
  const [first] = goals;
  if (!first) return null;
  return (
    <div className={styles.ways} data-testid="dry-run-ways">
      <ViewChoice view={view} onView={setView} />
      <div className={styles.way}>
        <AnyScene model={{ ...site, goals }} view={view} focus={first.robot} embedded onView={setView} />
      </div>
    </div>
  );
}
