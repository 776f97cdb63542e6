import { type RefObject, useEffect, useRef } from "react";
import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import { sceneKeys, ZOOM_STEP } from "./scene-keys";
import type { Scene2d } from "./scene2d";
import type { SceneModel } from "./scene-model";
import type { SceneEdit } from "./scene-edit";
import { SceneHandles } from "./SceneHandles";
import { SceneMarks } from "./SceneMarks";
import { SceneTools } from "./SceneTools";
import styles from "./Scene.module.css";
import { UndrawnLimits } from "./UndrawnLimits";
import { useFollowing, useScene2d } from "./useScene2d";
import { type HandActs, useSceneHands } from "./useSceneHands";
import { unflatten, type ViewSide } from "./view";

export type SceneProps = {
  model: SceneModel;
  side: ViewSide;
  /** The robot whose limits alone are drawn and fitted. */
  focus: string | null;
  /** The robot that is marked, and can be followed. */
  chosen?: string | null;
  onSide?: (side: ViewSide) => void;
  /** A robot was clicked, or none; without it nobody can be chosen here. */
  onChoose?: (robot: string | null) => void;
  /** The outline of a limit was clicked. */
  onLimit?: ((limit: string) => void) | undefined;
  /** True within a page that the wheel scrolls. */
  embedded?: boolean;
  /** A limit that is written on the scene. */
  edit?: SceneEdit | null;
};

/** The names of the coordinates that a side shows. */
const AXES: Readonly<Record<ViewSide, readonly [string, string]>> = {
  top: ["x", "y"],
  front: ["x", "z"],
  side: ["y", "z"],
};

/**
 * The drawing of a scene, moved by mouse, fingers and keys. Its facts are beside it as text, so it is an image with a
 * name, and each robot on it a button.
 */
export function Scene(props: SceneProps) {
  const { model, side, focus, chosen = null, onSide, onChoose, onLimit, embedded = false, edit = null } = props;
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  const point = useRef<HTMLSpanElement>(null);
  const { placed, follow, setFollow } = useFollowing(model, chosen);
  const scene = useScene2d({ canvas, marks, tools }, model, { side, focus, chosen, follow });
  useEdit(scene, edit);
  const onPan = () => setFollow(false);
  const onFit = () => {
    setFollow(false);
    scene.current?.fit();
  };
  const choose = (robot: string | null) => {
    if (!onChoose) return;
    scene.current?.choose(robot);
    onChoose(robot);
  };
  const onPoint = (at_m: readonly [number, number] | null) => writePoint(point.current, side, at_m);
  const draws = drawOn(edit, side);
  const hands = useSceneHands(stage, scene, embedded, { onChoose: choose, onLimit, onPan, onPoint, ...draws });
  return (
    <div
      ref={stage}
      className={styles.stage}
      data-testid="scene"
      data-stage
      data-drawing={draws.onDraw !== null}
      data-embedded={embedded}
      role="group"
      aria-label={t("scene.group")}
      onKeyDown={sceneKeys(scene, { onSide, onPan, onFit, onFollow: () => setFollow((before) => !before) })}
      {...hands}
      onDoubleClick={onFit}
    >
      <canvas
        ref={canvas}
        className={styles.canvas}
        tabIndex={0}
        role="img"
        aria-label={t("scene.name", { side: t(`scene.${side}`), frame: model.frame })}
      />
      <div ref={marks}>
        {onChoose && (
          <SceneMarks
            robots={model.robots}
            chosen={chosen}
            onChoose={choose}
            onReveal={(id) => scene.current?.reveal(id)}
          />
        )}
        {edit && <SceneHandles edit={edit} side={side} scene={scene} />}
      </div>
      <UndrawnLimits model={model} />
      <SceneTools
        ref={tools}
        point={point}
        chosen={onChoose && placed ? chosen : null}
        follow={follow}
        onFollow={() => setFollow((before) => !before)}
        onFit={onFit}
        onZoomIn={() => scene.current?.zoomBy(ZOOM_STEP)}
        onZoomOut={() => scene.current?.zoomBy(1 / ZOOM_STEP)}
        mapped={side === "top" ? model : null}
      />
    </div>
  );
}

/** Brings points into sight when others are named, and keeps handles where they belong. */
function useEdit(scene: RefObject<Scene2d | null>, edit: SceneEdit | null): void {
  const look_m = edit?.look_m ?? null;
  // Synchronises with the canvas: the view is moved once, and is the hand's from then on.
  useEffect(() => {
    if (look_m) scene.current?.lookAt(look_m);
  }, [scene, look_m]);

  const places = edit?.handles.map(({ id, at_m }) => `${id} ${at_m.join(" ")}`).join() ?? "";
  // Synchronises with the canvas: a handle may move while nothing of the model does.
  useEffect(() => scene.current?.placeHandles(places), [scene, places]);
}

/** Drawing on the plane of a side. */
function drawOn(edit: SceneEdit | null, side: ViewSide): Pick<HandActs, "onDraw" | "clicks"> {
  if (!edit?.onDraw) return { onDraw: null, clicks: false };
  const { onDraw, depth_m, clicks } = edit;
  const onPlane = (point_m: readonly [number, number]) => unflatten(side, point_m, depth_m);
  return { onDraw: (from_m, to_m, ended) => onDraw(onPlane(from_m), onPlane(to_m), ended), clicks };
}

/** Straight into the page: a pointer moves more often than anything else here has to be drawn. */
function writePoint(at: HTMLElement | null, side: ViewSide, at_m: readonly [number, number] | null): void {
  if (at) at.textContent = at_m === null ? "" : pointText(side, at_m);
}

function pointText(side: ViewSide, [right_m, up_m]: readonly [number, number]): string {
  const [right, up] = AXES[side];
  return `${right} ${formatNumber(right_m, 2)}, ${up} ${formatNumber(up_m, 2)} m`;
}
