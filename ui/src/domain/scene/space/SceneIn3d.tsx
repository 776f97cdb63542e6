import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { t } from "../../../locales/i18n";
import { wheelFactor } from "../flat/gestures";
import type { SceneModel } from "../flat/scene-model";
import type { ViewSide } from "../flat/view";
import { findShortcut } from "../../../design/shortcuts/shortcuts";
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
  /** True within a page that the wheel scrolls. */
  embedded: boolean;
  onSide: (side: ViewSide) => void;
  onOff: () => void;
};

/**
 * The scene in three dimensions; its code comes when it is first looked at. `onOff` is called where graphics cannot
 * show it.
 */
export function SceneIn3d({ model, focus, embedded, onSide, onOff }: SceneIn3dProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const names = useRef<HTMLCanvasElement>(null);
  const off = useRef(onOff);
  const [scene, setScene] = useState<Scene3d | null>(null);

  // Synchronises with the canvases, which are drawn outside React, once the code for it is here.
  useEffect(() => {
    let mounted: Scene3d | null = null;
    let gone = false;
    const mount = (drawing: typeof import("./scene3d")) => {
      if (gone || !canvas.current || !names.current) return;
      mounted = new drawing.Scene3d(() => off.current());
      mounted.mount({ scene: canvas.current, names: names.current });
      setScene(mounted);
    };
    import("./scene3d").then(mount, () => off.current());
    return () => {
      gone = true;
      mounted?.dispose();
    };
  }, []);

  // Synchronises with the canvases: shows what is known now.
  useEffect(() => scene?.update(model, focus), [scene, model, focus]);

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
  }, [scene, embedded]);

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
  const onPointerMove = ({ buttons, movementX, movementY }: PointerEvent) => {
    if (buttons === 1) scene?.turnBy(-movementX * DRAG_RAD_PER_PX, movementY * DRAG_RAD_PER_PX);
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
        onPointerDown={keepPointer}
        onPointerMove={onPointerMove}
        onDoubleClick={() => scene?.fit()}
      />
      <canvas ref={names} className={styles.names} aria-hidden="true" />
    </div>
  );
}

/** A drag goes on outside the canvas. */
function keepPointer(event: PointerEvent): void {
  event.currentTarget.setPointerCapture(event.pointerId);
}

const TURNS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
