import { ScrollText } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { Toolbar } from "../../design/components/Toolbar";
import { t } from "../../locales/i18n";
import { AnyScene } from "../../domain/scene/AnyScene";
import { SceneText } from "../../domain/scene/flat/SceneText";
import { sceneSentences } from "../../domain/scene/flat/twin";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import { type SceneView, ViewChoice } from "../../domain/scene/ViewChoice";
import styles from "./SiteView.module.css";

type SiteViewProps = { robots: readonly RobotRow[]; chosen: string | null; onChoose: (robot: string | null) => void };

/** The site; its facts as text for those who do not see it, and below it for those who want to read them. */
export function SiteView({ robots, chosen, onChoose }: SiteViewProps) {
  const model = useSceneModel(robots);
  const [view, setView] = useState<SceneView>("top");
  const [inWords, setInWords] = useState(false);
  return (
    <section className={styles.site} aria-label={t("overview.site")}>
      <Toolbar title={t("overview.site")} state={t("overview.in_frame", { frame: model.frame })}>
        <ViewChoice view={view} onView={setView} />
        <Button
          look="quiet"
          data-testid="site-words"
          aria-expanded={inWords}
          onClick={() => setInWords((shown) => !shown)}
        >
          <ScrollText aria-hidden="true" /> {t("scene.in_words")}
        </Button>
        <Link href="/world" className={styles.more}>
          {t("overview.open_world")}
        </Link>
      </Toolbar>
      <div className={styles.scene}>
        <AnyScene model={model} view={view} focus={null} chosen={chosen} onChoose={onChoose} onView={setView} />
      </div>
      {inWords ? (
        <SceneText model={model} />
      ) : (
        <ul className="visually-hidden">
          {sceneSentences(model).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
