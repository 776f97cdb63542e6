import { SquareDashedMousePointer } from "lucide-react";
import { useState } from "react";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { SceneText } from "../../domain/scene/flat/SceneText";
import { editOf } from "../../domain/scene/flat/scene-edit";
import { toFrame } from "../../domain/scene/flat/transform";
import { useSceneModel } from "../../domain/scene/flat/useSceneModel";
import { AnyScene } from "../../domain/scene/AnyScene";
import { type SceneView, ViewChoice } from "../../domain/scene/ViewChoice";
import { t } from "../../locales/i18n";
import styles from "./DraftScene.module.css";
import { blankOf, hasPlace, kindOf, type KindName } from "./limit-kinds";

type DraftSceneProps = {
  robot: RobotRow;
  limit: ConstraintKind | null;
  frame: string | null;
  /** Kind of the draft, and who hears that it was moved or drawn on the scene; without it the scene only shows. */
  edits?: { kind: KindName; onLimit: (limit: ConstraintKind) => void };
  /** It is what its screen is about. */
  hero?: boolean;
};

/** The draft, dashed, around the robot where it is now. It is moved by its handles and drawn by a drag (U-1601). */
export function DraftScene({ robot, limit, frame, edits, hero = false }: DraftSceneProps) {
  const drafts = limit && hasPlace(kindOf(limit)) ? [{ constraint: limit, id: "draft", frame, robot: robot.id }] : [];
  const model = useSceneModel([robot], drafts);
  const [view, setView] = useState<SceneView>("top");
  const [draws, setDraws] = useState(false);
  const own = frame ?? robot.default_frame;
  const depth_m = model.robots[0]?.position_m ?? ([0, 0, 0] as const);
  const at_m = toFrame(robot.transforms, model.frame, own, depth_m) ?? depth_m;
  const edit =
    // In space a pointer has no depth: a drag could mean any place along the line of sight.
    view === "space" || !edits
      ? null
      : editOf({
          robot,
          frame: own,
          root: model.frame,
          side: view,
          limit,
          depth_m,
          onLimit: edits.onLimit,
          blank: draws ? (limit ?? blankOf(edits.kind, at_m)) : null,
          onDrawn: () => setDraws(false),
        });
  return (
    <div className={styles.draft} data-hero={hero}>
      <div className={styles.tools}>
        <ViewChoice view={view} onView={setView} />
        {edits && <DrawTool draws={draws} off={view === "space"} hasDraft={limit !== null} onDraws={setDraws} />}
      </div>
      <div className={styles.scene}>
        <AnyScene model={model} view={view} focus={robot.id} embedded={!hero} edit={edit} onView={setView} />
      </div>
      <SceneText model={model} />
    </div>
  );
}

type DrawToolProps = { draws: boolean; off: boolean; hasDraft: boolean; onDraws: (draws: boolean) => void };

function DrawTool({ draws, off, hasDraft, onDraws }: DrawToolProps) {
  return (
    <>
      <Button look="quiet" data-testid="draw-limit" aria-pressed={draws} disabled={off} onClick={() => onDraws(!draws)}>
        <SquareDashedMousePointer aria-hidden="true" /> {t("limit_form.draw")}
      </Button>
      <span className={styles.hint} role="status">
        {off
          ? t("limit_change.no_handles")
          : draws
            ? t("limit_form.draw_hint")
            : hasDraft && t("limit_form.handles_hint")}
      </span>
    </>
  );
}
