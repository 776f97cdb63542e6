import { useState } from "react";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { Segments } from "../../design/components/Segments";
import type { DrawnZone } from "../../domain/scene/flat/drawn-zone";
import { t } from "../../locales/i18n";
import { DraftScene } from "./DraftScene";
import styles from "./HeroScene.module.css";
import { kindText } from "./limit-kinds";

/** The kinds that are drawn on a scene. */
const DRAWN = ["keep_out_box", "forbidden_zone", "workspace"] as const;
type DrawnKind = (typeof DRAWN)[number];

type HeroSceneProps = {
  robot: RobotRow;
  /** The limit that was drawn is to be looked over in the form and added; without it the scene only shows. */
  onDrawn: ((drawn: DrawnZone) => void) | null;
};

/** The robot among its limits, and a new one that is drawn there; nothing of it is in force before the form adds it. */
export function HeroScene({ robot, onDrawn }: HeroSceneProps) {
  const [kind, setKind] = useState<DrawnKind>(DRAWN[0]);
  const [limit, setLimit] = useState<ConstraintKind | null>(null);
  const frame = robot.default_frame;
  if (onDrawn === null) return <DraftScene robot={robot} limit={null} frame={null} hero />;
  const choose = (next: DrawnKind) => {
    setKind(next);
    setLimit(null);
  };
  return (
    <>
      <DraftScene robot={robot} limit={limit} frame={frame} edits={{ kind, onLimit: setLimit }} hero />
      <div className={styles.bar} role="group" aria-label={t("hero_scene.label")} data-testid="hero-limit">
        <Segments
          label={t("hero_scene.kind")}
          value={kind}
          options={DRAWN.map((value) => ({ value, text: kindText(value) }))}
          onChange={choose}
        />
        <span className={styles.hint} role="status">
          {t(limit === null ? "hero_scene.hint" : "hero_scene.drawn")}
        </span>
        {limit !== null && (
          <>
            <Button look="primary" data-testid="hero-check" onClick={() => onDrawn({ frame, limit })}>
              {t("hero_scene.check")}
            </Button>
            <Button look="quiet" data-testid="hero-discard" onClick={() => setLimit(null)}>
              {t("hero_scene.discard")}
            </Button>
          </>
        )}
      </div>
    </>
  );
}
