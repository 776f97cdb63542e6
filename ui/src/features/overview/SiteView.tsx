import { ScrollText, SquareDashedMousePointer, SquarePen } from "lucide-react";
import { useState } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { Toolbar } from "../../design/components/Toolbar";
import { t } from "../../locales/i18n";
import { AnyScene } from "../../domain/scene/AnyScene";
import { leavesOn, type LimitChange, useLimitChange } from "../../domain/scene/flat/useLimitChange";
import { SceneText } from "../../domain/scene/flat/SceneText";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import { LimitBar } from "../../domain/scene/LimitBar";
import { type SceneView, ViewChoice } from "../../domain/scene/ViewChoice";
import styles from "./SiteView.module.css";
import { ActivityRibbon } from "./ActivityRibbon";
import { useZone, type ZoneDrawing } from "./useZone";
import { ZoneBar } from "./ZoneBar";

type SiteViewProps = { robots: readonly RobotRow[]; chosen: string | null; onChoose: (robot: string | null) => void };

/** The site; its facts as text for those who do not see it, and below it for those who want to read them. */
export function SiteView({ robots, chosen, onChoose }: SiteViewProps) {
  const [view, setView] = useState<SceneView>("top");
  const zone = useZone(robots, chosen);
  const change = useLimitChange(robots, chosen, view === "space" ? null : view);
  const model = useSceneModel(robots, zone.draws ? zone.drafts : change.drafts);
  const drawn = view === "top" ? zone.edit : null;
  const edit = zone.draws ? drawn : change.edit;
  const changeLimit = (limit: string | null) => {
    // A drag on the scene can draw a zone or move a limit, not both.
    if (zone.draws) zone.toggle();
    if (view === "space") setView("top");
    change.choose(limit);
  };
  const [inWords, setInWords] = useState(false);
  return (
    <section className={styles.site} aria-label={t("overview.site")} onKeyDown={leavesOn(change)}>
      <Toolbar title={t("overview.site")} state={t("overview.in_frame", { frame: model.frame })}>
        <ViewChoice view={view} onView={setView} />
        <SiteTools
          inWords={inWords}
          onInWords={() => setInWords((shown) => !shown)}
          zone={zone}
          onZone={() => {
            // A zone is drawn from above, and the drag on the scene is its own.
            setView("top");
            change.giveUp();
            zone.toggle();
          }}
          change={change}
          onChange={() => (change.open ? change.giveUp() : changeLimit(null))}
        />
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
      {change.open && <LimitBar change={change} />}
      <div className={styles.scene}>
        <AnyScene
          {...{ model, view, chosen, onChoose, edit }}
          focus={null}
          onLimit={zone.draws ? undefined : changeLimit}
          onView={setView}
        />
      </div>
      <SceneText model={model} shown={inWords} />
      <ActivityRibbon />
    </section>
  );
}

type SiteToolsProps = {
  inWords: boolean;
  onInWords: () => void;
  zone: ZoneDrawing;
  onZone: () => void;
  change: LimitChange;
  onChange: () => void;
};

/** The facts in words, a new zone, and the limits that are there. */
function SiteTools({ inWords, onInWords, zone, onZone, change, onChange }: SiteToolsProps) {
  return (
    <>
      <Button
        look="quiet"
        data-testid="site-words"
        title={t("scene.in_words")}
        aria-expanded={inWords}
        onClick={onInWords}
      >
        <ScrollText aria-hidden="true" /> <span className={styles.word}>{t("scene.in_words")}</span>
      </Button>
      <Button
        look="quiet"
        data-testid="draw-zone"
        title={t("scene.draw_zone")}
        aria-pressed={zone.draws}
        disabled={zone.robots.length === 0}
        onClick={onZone}
      >
        <SquareDashedMousePointer aria-hidden="true" /> <span className={styles.word}>{t("scene.draw_zone")}</span>
      </Button>
      <Button
        look="quiet"
        data-testid="change-limit"
        title={t("limit_change.open")}
        aria-pressed={change.open}
        onClick={onChange}
      >
        <SquarePen aria-hidden="true" /> <span className={styles.word}>{t("limit_change.open")}</span>
      </Button>
    </>
  );
}
