import { ScrollText, SquareDashedMousePointer } from "lucide-react";
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
import { ActivityRibbon } from "./ActivityRibbon";
import { useZone } from "./useZone";
import { ZoneBar } from "./ZoneBar";

type SiteViewProps = { robots: readonly RobotRow[]; chosen: string | null; onChoose: (robot: string | null) => void };

/** The site; its facts as text for those who do not see it, and below it for those who want to read them. */
export function SiteView({ robots, chosen, onChoose }: SiteViewProps) {
  const [view, setView] = useState<SceneView>("top");
  const zone = useZone(robots, chosen);
  const model = useSceneModel(robots, zone.drafts);
  const edit = view === "top" ? zone.edit : null;
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
        <Button
          look="quiet"
          data-testid="draw-zone"
          aria-pressed={zone.draws}
          disabled={zone.robots.length === 0}
          onClick={() => {
            setView("top");
            zone.toggle();
          }}
        >
          <SquareDashedMousePointer aria-hidden="true" /> {t("scene.draw_zone")}
        </Button>
        <Link href="/world" className={styles.more}>
          {t("overview.open_world")}
        </Link>
      </Toolbar>
      {zone.draws && (
        <ZoneBar
          robots={zone.robots}
          robot={zone.robot}
          onRobot={zone.setRobot}
          zone={zone.zone}
          onCancel={zone.toggle}
        />
      )}
      <div className={styles.scene}>
        <AnyScene {...{ model, view, chosen, onChoose, edit }} focus={null} onView={setView} />
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
      <ActivityRibbon />
    </section>
  );
}
