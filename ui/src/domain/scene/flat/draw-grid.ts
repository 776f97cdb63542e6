// The ground the scene stands on: a metre grid, the axes and a scale bar.

import { hasBorder, roomOf } from "./frame";
import { lengthText, type Pen, strokeLine, writeText } from "./pen";
import { scaleBarM, type ViewSide } from "./view";

/** Grid lines closer than this would be a grey veil. */
const GRID_PX_MIN = 36;
/** The longest scale bar. */
const SCALE_PX_MAX = 120;
/** Distance of the scale bar from the corner. */
const CORNER_PX = 14;

/** Directions of the two axes on screen, by side. */
const AXES: Readonly<Record<ViewSide, string>> = { top: "x → · y ↑", front: "x → · z ↑", side: "y → · z ↑" };

/** Distance of two lines of the grid, m. */
export function gridStepM(px_per_m: number): number {
  const least_m = GRID_PX_MIN / px_per_m;
  const power_m = 10 ** Math.floor(Math.log10(least_m));
  return ([1, 2, 5].find((factor) => factor * power_m >= least_m) ?? 10) * power_m;
}

/** Draws the grid and names its axes. */
export function drawGrid(pen: Pen): void {
  const { camera, size, ink, context } = pen;
  const step_m = gridStepM(camera.px_per_m);
  const half_right = size.width_px / 2 / camera.px_per_m;
  const half_up = size.height_px / 2 / camera.px_per_m;
  context.lineWidth = 1;
  context.strokeStyle = ink.grid_major;
  for (
    let n = Math.ceil((camera.center[0] - half_right) / step_m);
    n * step_m <= camera.center[0] + half_right;
    n += 1
  ) {
    const x = size.width_px / 2 + (n * step_m - camera.center[0]) * camera.px_per_m;
    strokeLine(pen, [
      [x, 0],
      [x, size.height_px],
    ]);
  }
  for (let n = Math.ceil((camera.center[1] - half_up) / step_m); n * step_m <= camera.center[1] + half_up; n += 1) {
    const y = size.height_px / 2 - (n * step_m - camera.center[1]) * camera.px_per_m;
    strokeLine(pen, [
      [0, y],
      [size.width_px, y],
    ]);
  }
}

/** Draws the scale bar, and the directions of the axes where no border names them. */
export function drawScale(pen: Pen): void {
  const { camera, size, ink, context } = pen;
  const length_m = scaleBarM(camera.px_per_m, SCALE_PX_MAX);
  const length_px = length_m * camera.px_per_m;
  const room = roomOf(size);
  const x = room.right - CORNER_PX;
  const y = room.bottom - CORNER_PX;
  context.strokeStyle = ink.text;
  context.lineWidth = ink.stroke_px;
  strokeLine(pen, [
    [x - length_px, y - 4],
    [x - length_px, y],
    [x, y],
    [x, y - 4],
  ]);
  pen.taken.push({ left: x - length_px, top: y - 20, right: x, bottom: y + 2 });
  context.font = ink.font;
  writeText(pen, lengthText(length_m), [x - length_px / 2, y - 12], ink.text, "center");
  if (!hasBorder(size)) writeText(pen, AXES[camera.side], [CORNER_PX, y - 4], ink.muted);
}
