import { useState } from "react";
import type { ConstraintKind } from "../../bindings/ConstraintKind";
import type { RobotRow } from "../../bindings/RobotRow";
import { Choice } from "../../shared/components/Choice";
import { t } from "../../shared/i18n";
import { Scene } from "../../shared/scene2d/Scene";
import { SceneText } from "../../shared/scene2d/SceneText";
import { useSceneModel } from "../../shared/scene2d/useSceneModel";
import type { ViewSide } from "../../shared/scene2d/view";
import styles from "./DraftScene.module.css";
import { hasPlace, kindOf } from "./limit-kinds";

type DraftSceneProps = { robot: RobotRow; limit: ConstraintKind | null; frame: string | null };

/** The draft, dashed, around the robot where it is now. */
export function DraftScene({ robot, limit, frame }: DraftSceneProps) {
  const drafts = limit && hasPlace(kindOf(limit)) ? [{ constraint: limit, id: "draft", frame, robot: robot.id }] : [];
  const model = useSceneModel([robot], drafts);
  const [side, setSide] = useState<ViewSide>("top");
  return (
    <div className={styles.draft}>
      <Choice
        label={t("world.side")}
        value={side}
        options={[
          { value: "top", text: t("scene.top") },
          { value: "side", text: t("scene.side") },
        ]}
        onChange={setSide}
      />
      <div className={styles.scene}>
        <Scene model={model} side={side} focus={robot.id} onSide={setSide} />
      </div>
      <SceneText model={model} />
    </div>
  );
}
