import { useState } from "react";
import { useLocation } from "wouter";
import type { RobotRow } from "../../bindings/RobotRow";
import { Choice } from "../../shared/components/Choice";
import { Panel } from "../../shared/components/Panel";
import { t } from "../../shared/i18n";
import { Scene } from "../../shared/scene2d/Scene";
import { SceneText } from "../../shared/scene2d/SceneText";
import { useSceneModel } from "../../shared/scene2d/useSceneModel";
import type { ViewSide } from "../../shared/scene2d/view";
import styles from "./ScenePanel.module.css";

/** The scene, what it looks at, and the same in words. */
export function ScenePanel({ robots, focus }: { robots: readonly RobotRow[]; focus: string | null }) {
  const model = useSceneModel(robots);
  const [side, setSide] = useState<ViewSide>("top");
  const [, navigate] = useLocation();
  return (
    <Panel
      title={t("world.scene", { frame: model.frame })}
      aside={
        <>
          <Choice
            label={t("world.look_at")}
            value={focus ?? ""}
            options={[{ value: "", text: t("world.whole_site") }, ...model.robots.map(({ id }) => ({ value: id, text: id }))]}
            onChange={(id) => navigate(id === "" ? "/world" : `/world/${id}`)}
          />
          <Choice
            label={t("world.side")}
            value={side}
            options={[
              { value: "top", text: t("scene.top") },
              { value: "side", text: t("scene.side") },
            ]}
            onChange={setSide}
          />
        </>
      }
    >
      <div className={styles.scene}>
        <Scene model={model} side={side} focus={focus} onSide={setSide} />
      </div>
      <SceneText model={model} />
    </Panel>
  );
}
