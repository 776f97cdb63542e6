// The keys of a scene.

import type { KeyboardEvent, RefObject } from "react";
import { findShortcut } from "../../../design/shortcuts/keys-in-force";
import type { Scene2d } from "./scene2d";
import type { ViewSide } from "./view";

/** Pan of one arrow key press, CSS pixels. */
const PAN_PX = 40;
/** Zoom factor of one key press, or of one press of a button. */
export const ZOOM_STEP = 1.25;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

type KeyActs = {
  onSide: ((side: ViewSide) => void) | undefined;
  onPan: () => void;
  onFit: () => void;
  onFollow: () => void;
};

/** The handler of key presses on a scene. */
export function sceneKeys(scene: RefObject<Scene2d | null>, { onSide, onPan, onFit, onFollow }: KeyActs) {
  return (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    const shortcut = findShortcut(event, "scene");
    if (!arrow && shortcut === null) return;
    event.preventDefault();
    if (arrow) {
      scene.current?.panBy(arrow[0] * PAN_PX, arrow[1] * PAN_PX);
      onPan();
    } else if (shortcut === "scene_top") onSide?.("top");
    else if (shortcut === "scene_front") onSide?.("front");
    else if (shortcut === "scene_side") onSide?.("side");
    else if (shortcut === "scene_fit") onFit();
    else if (shortcut === "scene_follow") onFollow();
    else if (shortcut === "scene_zoom_in") scene.current?.zoomBy(ZOOM_STEP);
    else if (shortcut === "scene_zoom_out") scene.current?.zoomBy(1 / ZOOM_STEP);
  };
}
