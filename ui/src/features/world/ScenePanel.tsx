import { ScrollText, SquarePen } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { Segments } from "../../design/components/Segments";
import { Panel } from "../../design/layout/Panel";
import { t } from "../../locales/i18n";
import { leavesOn, useLimitChange } from "../../domain/scene/flat/useLimitChange";
import { SceneText } from "../../domain/scene/flat/SceneText";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import { AnyScene } from "../../domain/scene/AnyScene";
import { LimitBar } from "../../domain/scene/LimitBar";
import { type SceneView, ViewChoice } from "../../domain/scene/ViewChoice";
import styles from "./ScenePanel.module.css";

/** The scene, what it looks at, and the same in words. */
export function ScenePanel({ robots, focus }: { robots: readonly RobotRow[]; focus: string | null }) {
  const [view, setView] = useState<SceneView>("top");
  const [inWords, setInWords] = useState(false);
  const change = useLimitChange(robots, focus, view === "space" ? null : view);
  const model = useSceneModel(robots, change.drafts);
  const [, navigate] = useLocation();
  const changeLimit = (limit: string | null) => {
    // Handles are moved in a plane, and the view in space has none.
    if (view === "space") setView("top");
    change.choose(limit);
  };
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
          <Button
            look="quiet"
            data-testid="scene-words"
            aria-label={t("scene.in_words")}
            title={t("scene.in_words")}
            aria-expanded={inWords}
            onClick={() => setInWords((shown) => !shown)}
          >
            <ScrollText aria-hidden="true" />
          </Button>
          <Button
            look="quiet"
            data-testid="change-limit"
            aria-pressed={change.open}
            onClick={() => (change.open ? change.giveUp() : changeLimit(null))}
          >
            <SquarePen aria-hidden="true" /> {t("limit_change.open")}
          </Button>
        </>
      }
    >
      <div className={styles.changing} role="group" aria-label={t("limit_change.open")} onKeyDown={leavesOn(change)}>
        {change.open && <LimitBar change={change} />}
        <div className={styles.scene}>
          <AnyScene
            model={model}
            view={view}
            focus={focus}
            chosen={focus}
            edit={change.edit}
            onChoose={show}
            onLimit={changeLimit}
            onView={setView}
          />
        </div>
      </div>
      <SceneText model={model} shown={inWords} />
    </Panel>
  );
}
