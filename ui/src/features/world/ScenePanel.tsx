import { useState } from "react";
import { useLocation } from "wouter";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Segments } from "../../design/components/Segments";
import { Panel } from "../../design/layout/Panel";
import { t } from "../../locales/i18n";
import { SceneText } from "../../domain/scene/flat/SceneText";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import { AnyScene } from "../../domain/scene/AnyScene";
import { type SceneView, ViewChoice } from "../../domain/scene/ViewChoice";
import styles from "./ScenePanel.module.css";

/** The scene, what it looks at, and the same in words. */
export function ScenePanel({ robots, focus }: { robots: readonly RobotRow[]; focus: string | null }) {
  const model = useSceneModel(robots);
  const [view, setView] = useState<SceneView>("top");
  const [, navigate] = useLocation();
  const show = (id: string | null) => navigate(id === null ? "/world" : `/world/${id}`);
  return (
    <Panel
      title={t("world.scene", { frame: model.frame })}
      aside={
        <>
          <Segments
            label={t("world.look_at")}
            value={focus ?? ""}
            options={[
              { value: "", text: t("world.whole_site") },
              ...model.robots.map(({ id }) => ({ value: id, text: id })),
            ]}
            onChange={(id) => show(id === "" ? null : id)}
          />
          <ViewChoice view={view} onView={setView} />
        </>
      }
    >
      <div className={styles.scene}>
        <AnyScene model={model} view={view} focus={focus} chosen={focus} onChoose={show} onView={setView} />
      </div>
      <SceneText model={model} />
    </Panel>
  );
}
