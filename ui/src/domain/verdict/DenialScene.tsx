import { useState } from "react";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { Verdict } from "../../generated/bindings/Verdict";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { useStation } from "../station/station-context";
import { useRows } from "../station/useRows";
import { t } from "../../locales/i18n";
import { deniedScene } from "../scene/flat/denied-scene";
import { sideShowing } from "../scene/flat/view";
import { AnyScene } from "../scene/AnyScene";
import { useSitePlan } from "../scene/flat/useSitePlan";
import { type SceneView, ViewChoice } from "../scene/ViewChoice";
import { depthText } from "./denial-facts";
import styles from "./DenialScene.module.css";

type DenialSceneProps = {
  verdict: Verdict;
  command: RawCommand | null;
  worst: VerdictItem;
  violated: readonly string[];
  /** It is what its screen is about. */
  hero?: boolean;
};

/** The way that was asked for, where it is wrong, and the limit it would violate. The facts beside it say the same. */
export function DenialScene(props: DenialSceneProps) {
  const robots = useRows("robots", "list_robots", {});
  const robot = robots.data?.rows.find(({ id }) => id === props.verdict.robot);
  return robot ? <Drawn {...props} robot={robot} /> : null;
}

function Drawn({ verdict, command, worst, violated, hero = false, robot }: DenialSceneProps & { robot: RobotRow }) {
  const { store } = useStation();
  const limits = useRows("constraints", "list_constraints", { robot: robot.id });
  // The denial is of the past: where the robot is now is no part of it.
  const [start] = useState(() => store.track(`robot/${robot.id}/pose`)?.at(verdict.at_mono_ms) ?? null);
  const [view, setView] = useState<SceneView>(() => sideOf(worst));
  const plan = useSitePlan();
  const denied = {
    command,
    start,
    frame: verdict.frame,
    worst: worst.point_m && { point_m: worst.point_m, nearest_m: worst.nearest_allowed_m, depth: beyondText(worst) },
    constraints: violated,
  };
  const model = deniedScene(robot, limits.data?.rows ?? [], denied, plan);
  if (!model) return null;
  return (
    <div className={styles.frame} data-hero={hero}>
      <div className={styles.bar}>
        <ViewChoice view={view} onView={setView} />
      </div>
      <div className={styles.scene} data-testid="denial-scene">
        <AnyScene model={model} view={view} focus={robot.id} embedded={!hero} onView={setView} />
      </div>
    </div>
  );
}

function beyondText(worst: VerdictItem): string {
  const depth = depthText(worst);
  return depth === null ? t("verdict.deny") : t("scene.beyond", { depth });
}

/** The side that shows the way out; three dimensions are for whoever asks for them. */
function sideOf({ point_m, nearest_allowed_m }: VerdictItem): SceneView {
  return point_m && nearest_allowed_m ? sideShowing(point_m, nearest_allowed_m) : "top";
}
