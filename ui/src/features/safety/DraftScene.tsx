import { useState } from "react";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { SceneText } from "../../domain/scene/flat/SceneText";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import { AnyScene } from "../../domain/scene/AnyScene";
import { type SceneView, ViewChoice } from "../../domain/scene/ViewChoice";
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
        <AnyScene model={model} view={view} focus={robot.id} embedded onView={setView} />
      </div>
      <SceneText model={model} />
    </div>
  );
}
