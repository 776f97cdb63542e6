import { useState } from "react";
import type { CommandChecked } from "../../../generated/bindings/CommandChecked";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { AnyScene } from "../../../domain/scene/AnyScene";
import { inFrame } from "../../../domain/robot/place";
import { goalEdit } from "../../../domain/scene/flat/goal-edit";
import { toFrame, type Vec3 } from "../../../domain/scene/flat/transform";
import { sceneSentences } from "../../../domain/scene/flat/twin";
import { useSceneModel } from "../../../domain/scene/flat/useSceneModel";
import { type SceneView, ViewChoice } from "../../../domain/scene/ViewChoice";
import { goalScene } from "./goal-scene";
import styles from "./GoalPage.module.css";

type GoalSceneProps = {
  robot: RobotRow;
  robots: readonly RobotRow[];
  /** In the robot's own frame; no place while a coordinate is no number. */
  goal: { at_m: Vec3 | null; speed_mps: number | null };
  checked: CommandChecked | null;
  onPlace: (to_m: Vec3) => void;
};

/** The robots of the site, the goal as a handle, and the way there as it was judged. */
export function GoalScene({ robot, robots, goal, checked, onPlace }: GoalSceneProps) {
  const [view, setView] = useState<SceneView>("top");
  const site = useSceneModel(robots);
  const to_m = goal.at_m && toFrame(robot.transforms, robot.default_frame, site.frame, goal.at_m);
  const model = to_m ? goalScene(site, robot, { to_m, speed_mps: goal.speed_mps }, checked) : { ...site, goals: [] };
  const move = (point_m: Vec3) => {
    const place = inFrame(robot, site.frame, null, point_m);
    if (place) onPlace([toCentimetre(place[0]), toCentimetre(place[1]), toCentimetre(place[2])]);
  };
  const edit = to_m && view !== "space" ? goalEdit({ at_m: to_m, side: view, onMove: move, anywhere: true }) : null;
  return (
    <div className={styles.frame}>
      <div className={styles.bar}>
        <ViewChoice view={view} onView={setView} />
      </div>
      <div className={styles.scene} data-testid="goal-scene">
        <AnyScene model={model} view={view} focus={robot.id} edit={edit} onView={setView} />
      </div>
      <ul className="visually-hidden">
        {sceneSentences(model).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

/** A pointer means no millimetres. */
function toCentimetre(metres: number): number {
  return Math.round(metres * 100) / 100;
}
