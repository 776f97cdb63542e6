import { useState } from "react";
import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import { Scene, type SceneProps } from "./flat/Scene";
import styles from "./AnyScene.module.css";
import { SceneIn3d } from "./space/SceneIn3d";
import type { SceneView } from "./ViewChoice";

type AnySceneProps = Omit<SceneProps, "side" | "onSide"> & { view: SceneView; onView: (view: SceneView) => void };

/** The scene from one side or in three dimensions; where graphics cannot show the latter, from above (U-1104). */
export function AnyScene({ view, onView, ...scene }: AnySceneProps) {
  const [off, setOff] = useState(false);
  if (view !== "space") return <Scene {...scene} side={view} onSide={onView} />;
  const { model, focus, chosen = null, onChoose, embedded = false } = scene;
  const shown = { model, focus, chosen, embedded, ...(onChoose ? { onChoose } : {}) };
  if (!off) return <SceneIn3d {...shown} onSide={onView} onOff={() => setOff(true)} />;
  return (
    <div className={styles.off}>
      <p className={styles.notice} role="status" data-testid="scene-off">
        {t("scene.off")}
        <Button data-testid="scene-again" onClick={() => setOff(false)}>
          {t("scene.try_again")}
        </Button>
      </p>
      <div className={styles.flat}>
        <Scene {...scene} side="top" onSide={onView} />
      </div>
    </div>
  );
}
