import { type KeyboardEvent, useEffect, useRef } from "react";
import { t } from "../../../locales/i18n";
import { findShortcut } from "../../../design/shortcuts/shortcuts";
import styles from "./Scene.module.css";
import { Scene2d } from "./scene2d";
import type { SceneModel } from "./scene-model";
import type { ViewSide } from "./view";

/** Pan of one arrow key press, CSS pixels. */
const PAN_PX = 40;
/** Zoom factor of one key press. */
const ZOOM_STEP = 1.25;

type SceneProps = { model: SceneModel; side: ViewSide; focus: string | null; onSide?: (side: ViewSide) => void };

/** The drawing of a scene. Its facts are beside it as text, so it is one focusable image with a name. */
export function Scene({ model, side, focus, onSide }: SceneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<Scene2d>(null);

  // Synchronises with the canvas: it is drawn outside React.
  useEffect(() => {
    if (!canvas.current) return;
    const drawn = new Scene2d();
    drawn.mount(canvas.current);
    scene.current = drawn;
    return () => drawn.dispose();
  }, []);

  // Synchronises with the canvas: shows what is known now.
  useEffect(() => scene.current?.update(model, { side, focus, goalLabel: t("scene.goal") }), [model, side, focus]);

  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    const shortcut = findShortcut(event, "scene");
    if (!arrow && shortcut === null) return;
    event.preventDefault();
    if (arrow) scene.current?.panBy(arrow[0] * PAN_PX, arrow[1] * PAN_PX);
    else if (shortcut === "scene_top") onSide?.("top");
    else if (shortcut === "scene_front") onSide?.("front");
    else if (shortcut === "scene_side") onSide?.("side");
    else if (shortcut === "scene_fit") scene.current?.fit();
    else if (shortcut === "scene_zoom_in") scene.current?.zoomBy(ZOOM_STEP);
    else if (shortcut === "scene_zoom_out") scene.current?.zoomBy(1 / ZOOM_STEP);
  };

  return (
    <canvas
      ref={canvas}
      className={styles.canvas}
      tabIndex={0}
      role="img"
      aria-label={t("scene.name", { side: t(`scene.${side}`), frame: model.frame })}
      onKeyDown={onKeyDown}
    />
  );
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
