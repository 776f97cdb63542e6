// The part of a canvas that the scene itself has: a wide one has a graduated border around it.

import type { Box } from "./labels";
import type { CanvasSize } from "./view";

/** Room outside the border: figures of the vertical axis at the left, of the horizontal one below, px. */
const MARGIN_PX = { left: 46, right: 10, top: 10, bottom: 30 };
/** Width of the border, px. */
export const BAND_PX = 5;
/** A scene smaller than this is all scene. */
const BORDERED_PX_MIN = { width: 420, height: 300 };

/** True if the canvas has room for a border. */
export function hasBorder(size: CanvasSize): boolean {
  return size.width_px >= BORDERED_PX_MIN.width && size.height_px >= BORDERED_PX_MIN.height;
}

/** The outer edge of the border, or the whole canvas if it has none. */
export function frameOf(size: CanvasSize): Box {
  if (!hasBorder(size)) return { left: 0, top: 0, right: size.width_px, bottom: size.height_px };
  return {
    left: MARGIN_PX.left,
    top: MARGIN_PX.top,
    right: size.width_px - MARGIN_PX.right,
    bottom: size.height_px - MARGIN_PX.bottom,
  };
}

/** The inner edge of the border. */
export function roomOf(size: CanvasSize): Box {
  const { left, top, right, bottom } = frameOf(size);
  const by = hasBorder(size) ? BAND_PX : 0;
  return { left: left + by, top: top + by, right: right - by, bottom: bottom - by };
}
