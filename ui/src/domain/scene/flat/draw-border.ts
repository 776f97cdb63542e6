// The border of the scene, graduated as on a chart: one block per unit of the grid, figures at every second, the names
// of the axes in the corners.

import { formatNumber } from "../../../design/format/numbers";
import { gridStepM } from "./draw-grid";
import { BAND_PX, frameOf } from "./frame";
import { decimalsOf, type Pen } from "./pen";
import type { Spot, ViewSide } from "./view";

/** Names of the two axes on screen, by side. */
const AXES: Readonly<Record<ViewSide, readonly [string, string]>> = {
  top: ["x m", "y m"],
  front: ["x m", "z m"],
  side: ["y m", "z m"],
};

/** Draws the border over the scene, and what stands outside it. */
export function drawBorder(pen: Pen): void {
  const { context, ink, size, camera } = pen;
  const inner = frameOf(size);
  const width = inner.right - inner.left;
  const height = inner.bottom - inner.top;
  context.fillStyle = ink.scene;
  context.beginPath();
  context.rect(0, 0, size.width_px, size.height_px);
  context.rect(inner.left, inner.top, width, height);
  context.fill("evenodd");
  context.strokeStyle = ink.plan;
  context.lineWidth = 1;
  context.strokeRect(inner.left + 0.5, inner.top + 0.5, width - 1, height - 1);
  context.strokeRect(inner.left + BAND_PX, inner.top + BAND_PX, width - 2 * BAND_PX, height - 2 * BAND_PX);

  context.font = ink.figures;
  context.textBaseline = "middle";
  const step_m = gridStepM(camera.px_per_m);
  context.textAlign = "center";
  for (const { n, from_px, to_px } of blocks(inner.left, inner.right, camera.center[0], size.width_px, pen, step_m)) {
    context.fillStyle = ink.plan;
    if (n % 2 === 0)
      for (const y of [inner.top, inner.bottom - BAND_PX]) context.fillRect(from_px, y, to_px - from_px, BAND_PX);
    figure(pen, n, step_m, [from_px, inner.bottom + 13], from_px - inner.left > 20 && inner.right - from_px > 44);
  }
  context.textAlign = "right";
  for (const { n, from_px, to_px } of upward(inner, pen, step_m)) {
    context.fillStyle = ink.plan;
    if (n % 2 === 0)
      for (const x of [inner.left, inner.right - BAND_PX]) context.fillRect(x, from_px, BAND_PX, to_px - from_px);
    figure(pen, n, step_m, [inner.left - 8, to_px], to_px - inner.top > 24 && inner.bottom - to_px > 10);
  }
  const [across, up] = AXES[camera.side];
  context.fillStyle = ink.muted;
  context.fillText(across, inner.right, inner.bottom + 13);
  context.fillText(up, inner.left - 8, inner.top + 8);
}

type Block = { n: number; from_px: number; to_px: number };

/** The units of the grid along the horizontal axis; `n` counts from the origin. */
function blocks(
  left_px: number,
  right_px: number,
  center_m: number,
  width_px: number,
  pen: Pen,
  step_m: number,
): Block[] {
  const at = (n: number) => width_px / 2 + (n * step_m - center_m) * pen.camera.px_per_m;
  const first = Math.floor(center_m / step_m - width_px / 2 / pen.camera.px_per_m / step_m);
  const found: Block[] = [];
  for (let n = first; at(n) < right_px; n += 1) {
    if (at(n + 1) > left_px) found.push({ n, from_px: Math.max(left_px, at(n)), to_px: Math.min(right_px, at(n + 1)) });
  }
  return found;
}

/** The same along the vertical axis, which grows upwards: `to_px` is the lower end of a block. */
function upward({ top, bottom }: { top: number; bottom: number }, pen: Pen, step_m: number): Block[] {
  const { center, px_per_m } = pen.camera;
  const height_px = pen.size.height_px;
  const at = (n: number) => height_px / 2 - (n * step_m - center[1]) * px_per_m;
  const first = Math.floor(center[1] / step_m - height_px / 2 / px_per_m / step_m);
  const found: Block[] = [];
  for (let n = first; at(n) > top; n += 1) {
    if (at(n + 1) < bottom) found.push({ n, from_px: Math.max(top, at(n + 1)), to_px: Math.min(bottom, at(n)) });
  }
  return found;
}

/** Writes the metres of a unit, at every second one that has the room. */
function figure({ context, ink }: Pen, n: number, step_m: number, [x, y]: Spot, fits: boolean): void {
  if (n % 2 !== 0 || !fits) return;
  context.fillStyle = ink.muted;
  context.fillText(formatNumber(n * step_m, decimalsOf(2 * step_m)), x, y);
}
