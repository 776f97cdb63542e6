import { useState } from "react";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { SceneText } from "../../shared/scene2d/SceneText";
import { useSceneModel } from "../../shared/scene2d/useSceneModel";
import { AnyScene } from "../../shared/scene3d/AnyScene";
import { type SceneView, ViewChoice } from "../../shared/scene3d/ViewChoice";
import styles from "./DraftScene.module.css";
import { hasPlace, kindOf } from "./limit-kinds";

type DraftSceneProps = { robot: RobotRow; limit: ConstraintKind | null; frame: string | null };

/** The draft, dashed, around the robot where it is now. */
export function DraftScene({ robot, limit, frame }: DraftSceneProps) {
  const drafts = limit && hasPlace(kindOf(limit)) ? [{ constraint: limit, id: "draft", frame, robot: robot.id }] : [];
  const model = useSceneModel([robot], drafts);
  const [view, setView] = useState<SceneView>("top");
  return (
    <div className={styles.draft}>
      <ViewChoice view={view} onView={setView} />
      <div className={styles.scene}>
        <AnyScene model={model} view={view} focus={robot.id} onView={setView} />
      </div>
      <SceneText model={model} />
    </div>
  );
}
