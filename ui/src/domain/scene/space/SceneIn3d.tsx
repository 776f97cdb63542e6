import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { t } from "../../../locales/i18n";
import { Gestures, wheelFactor } from "../flat/gestures";
import type { SceneModel } from "../flat/scene-model";
import { UndrawnLimits } from "../flat/UndrawnLimits";
import { spotIn } from "../flat/useSceneHands";
import type { ViewSide } from "../flat/view";
import { findShortcut } from "../../../design/shortcuts/keys-in-force";
import { operation } from "../../../host/operations";
import type { Host } from "../../../host/host";
import { useStation } from "../../station/station-context";
import type { BodySource, BodyTrouble } from "./robot-bodies";
import type { Scene3d } from "./scene3d";
import styles from "./SceneIn3d.module.css";

/** Turn of the eye by one arrow key press, radians. */
const TURN_RAD = Math.PI / 18;
/** Turn of the eye by a drag of one pixel, radians. */
const DRAG_RAD_PER_PX = 0.01;
/** Zoom factor of one key press. */
const ZOOM_STEP = 1.25;

type SceneIn3dProps = {
  model: SceneModel;
  focus: string | null;
  /** The robot that is marked. */
  chosen: string | null;
  /** A robot was clicked, or none; without it nobody can be chosen here. */
  onChoose?: (robot: string | null) => void;
  /** True within a page that the wheel scrolls. */
  embedded: boolean;
  onSide: (side: ViewSide) => void;
  onOff: () => void;
};

/**
 * The scene in three dimensions; its code comes when it is first looked at. `onOff` is called where graphics cannot
 * show it.
 */
export function SceneIn3d({ model, focus, chosen, onChoose, embedded, onSide, onOff }: SceneIn3dProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const names = useRef<HTMLCanvasElement>(null);
  const { scene, troubles } = useDrawing(canvas, names, onOff);

  // Synchronises with the canvases: shows what is known now.
  useEffect(() => scene?.update(model, focus, chosen), [scene, model, focus, chosen]);

  useWheel(canvas, scene, embedded);

  const onKeyDown = (event: KeyboardEvent) => {
    const turn = TURNS[event.key];
    const shortcut = findShortcut(event, "scene");
    if (!turn && shortcut === null) return;
    event.preventDefault();
    if (turn) scene?.turnBy(turn[0] * TURN_RAD, turn[1] * TURN_RAD);
    else if (shortcut === "scene_top") onSide("top");
    else if (shortcut === "scene_front") onSide("front");
    else if (shortcut === "scene_side") onSide("side");
    else if (shortcut === "scene_fit") scene?.fit();
    else if (shortcut === "scene_zoom_in") scene?.zoomBy(ZOOM_STEP);
    else if (shortcut === "scene_zoom_out") scene?.zoomBy(1 / ZOOM_STEP);
  };
  const [hands] = useState(() => new Gestures());
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    keepPointer(event);
    hands.press(event.pointerId, spotIn(event.currentTarget, event));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const move = hands.move(event.pointerId, spotIn(event.currentTarget, event));
    if (!move) return;
    scene?.turnBy(-move.right_px * DRAG_RAD_PER_PX, move.down_px * DRAG_RAD_PER_PX);
    if (move.factor !== 1) scene?.zoomBy(move.factor);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const clicked = hands.release(event.pointerId, event.type !== "pointerup");
    const { clientWidth, clientHeight } = event.currentTarget;
    if (clicked && scene && event.button === 0)
      onChoose?.(scene.robotAt(clicked[0] / clientWidth, clicked[1] / clientHeight));
  };

  return (
    <div className={styles.stack}>
      <canvas
        ref={canvas}
        className={styles.scene}
        tabIndex={0}
        role="img"
        aria-label={t("scene.name_space", { frame: model.frame })}
        data-testid="scene-3d"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onDoubleClick={() => scene?.fit()}
      />
      <canvas ref={names} className={styles.names} aria-hidden="true" />
      <UndrawnLimits model={model} />
      {troubles.length > 0 && (
        <p className={styles.troubles} role="status" data-testid="body-troubles">
          {troubles.map(troubleText).join(" ")}
        </p>
      )}
    </div>
  );
}

/** The drawing on the canvases once its code is here, and the bodies of robots that it cannot draw. */
function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  names: RefObject<HTMLCanvasElement | null>,
  onOff: () => void,
): { scene: Scene3d | null; troubles: readonly BodyTrouble[] } {
  const { host } = useStation();
  const off = useRef(onOff);
  const [scene, setScene] = useState<Scene3d | null>(null);
  const [troubles, setTroubles] = useState<readonly BodyTrouble[]>([]);

  // Synchronises with the canvases, which are drawn outside React, once the code for it is here.
  useEffect(() => {
    let mounted: Scene3d | null = null;
    let gone = false;
    const mount = (drawing: typeof import("./scene3d")) => {
      if (gone || !canvas.current || !names.current) return;
      mounted = new drawing.Scene3d(() => off.current(), bodiesFrom(host), setTroubles);
      mounted.mount({ scene: canvas.current, names: names.current });
      setScene(mounted);
    };
    // Graphics may fail while they are set up, too; a screen that was left meanwhile has nothing to switch off.
    import("./scene3d").then(mount).catch(() => {
      if (!gone) off.current();
    });
    return () => {
      gone = true;
      mounted?.dispose();
    };
  }, [host, canvas, names]);

  return { scene, troubles };
}

/** Files of bodies come from the station. */
function bodiesFrom(host: Host): BodySource {
  return {
    urdf: async (robot) => (await operation(host, "robot_model", { robot })).urdf,
    mesh: async (robot, mesh) => {
      const { base64 } = await operation(host, "robot_mesh", { robot, mesh });
      if (base64 === null) throw new Error(`there is no ${mesh}`);
      return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
    },
  };
}

/** The wheel comes nearer; within a page that scrolls, only while the scene has the focus, or with Ctrl. */
function useWheel(canvas: RefObject<HTMLCanvasElement | null>, scene: Scene3d | null, embedded: boolean): void {
  // Synchronises with the wheel: only a listener that is not passive may keep the page from scrolling.
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (embedded && !event.ctrlKey && document.activeElement !== element) return;
      event.preventDefault();
      scene?.zoomBy(wheelFactor(event));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [canvas, scene, embedded]);
}

function troubleText({ robot, meshes }: BodyTrouble): string {
  if (meshes === null) return t("scene.no_body", { robot });
  return t("scene.missing_mesh", { robot, count: meshes.length, first: meshes[0] ?? "" });
}

/** A drag goes on outside the canvas. */
function keepPointer(event: PointerEvent<HTMLElement>): void {
  event.currentTarget.setPointerCapture(event.pointerId);
}

const TURNS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
