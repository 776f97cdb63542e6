import { useState } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { AnyScene } from "../scene/AnyScene";
import { useSceneModel } from "../scene/flat/useSceneModel";
import { sideShowing } from "../scene/flat/view";
import { type SceneView, ViewChoice } from "../scene/ViewChoice";
import { useRows } from "../station/useRows";
import { type Decided, decisionScene } from "./decision-scene";
import styles from "./DecisionScene.module.css";

type DecisionSceneProps = {
  proposal: Decided;
  /** True if the robot would be at the begin of the motion by then, wherever it is now. */
  later?: boolean;
  /** True within a list that the wheel scrolls. */
  compact: boolean;
};

/** The predicted motion among the robots as they stand now. The figures and the limits beside it say the same. */
export function DecisionScene(props: DecisionSceneProps) {
  const robots = useRows("robots", "list_robots", {});
  return robots.data ? <Drawn {...props} robots={robots.data.rows} /> : null;
}

function Drawn({ proposal, later = false, compact, robots }: DecisionSceneProps & { robots: readonly RobotRow[] }) {
  const site = useSceneModel(robots);
  const model = decisionScene(site, robots, proposal, later);
  const [chosen, setView] = useState<SceneView | null>(null);
  const goal = model?.goals[0];
  if (!model || !goal) return null;
  // From above, a motion straight up would be a point.
  const view = chosen ?? sideShowing(goal.from_m, goal.to_m);
  return (
    <div className={styles.frame} data-compact={compact}>
      {!compact && (
        <div className={styles.bar}>
          <ViewChoice view={view} onView={setView} />
        </div>
      )}
      <div className={styles.scene} data-testid="decision-scene">
        <AnyScene model={model} view={view} focus={proposal.robot} embedded={compact} onView={setView} />
      </div>
    </div>
  );
}
