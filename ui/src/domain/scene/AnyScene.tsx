import { useState } from "react";
import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import { Scene } from "./flat/Scene";
import type { SceneModel } from "./flat/scene-model";
import styles from "./AnyScene.module.css";
import { SceneIn3d } from "./space/SceneIn3d";
import type { SceneView } from "./ViewChoice";

type AnySceneProps = { model: SceneModel; view: SceneView; focus: string | null; onView: (view: SceneView) => void };

/** The scene from one side or in three dimensions; where graphics cannot show the latter, from above (U-1104). */
export function AnyScene({ model, view, focus, onView }: AnySceneProps) {
  const [off, setOff] = useState(false);
  if (view !== "space") return <Scene model={model} side={view} focus={focus} onSide={onView} />;
  if (!off) return <SceneIn3d model={model} focus={focus} onSide={onView} onOff={() => setOff(true)} />;
  return (
    <div className={styles.off}>
      <p className={styles.notice} role="status" data-testid="scene-off">
        {t("scene.off")}
        <Button data-testid="scene-again" onClick={() => setOff(false)}>
          {t("scene.try_again")}
        </Button>
      </p>
      <div className={styles.flat}>
        <Scene model={model} side="top" focus={focus} onSide={onView} />
      </div>
    </div>
  );
}
