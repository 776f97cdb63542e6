// Common input of the drawing functions, and the strokes they share.

import { formatNumber } from "../../../design/format/numbers";
import type { Ink } from "./ink";
import type { Label } from "./draw-labels";
import type { Box } from "./labels";
import type { Vec3 } from "./transform";
import { type Camera, type CanvasSize, type Spot, toSpot } from "./view";

/** A canvas, the theme and the view. `labels` are the names to write, `taken` what none of them may cover. */
export type Pen = {
  context: CanvasRenderingContext2D;
  ink: Ink;
  camera: Camera;
  size: CanvasSize;
  labels: Label[];
  taken: Box[];
};

/** A pen for names: a drawing that places its points otherwise has no camera of this kind. */
export type Plate = Omit<Pen, "camera">;

/** Places a point of the scene on the pen's canvas. */
export function spot(pen: Pen, point_m: Vec3): Spot {
  return toSpot(pen.camera, pen.size, point_m);
}

/** Strokes a chain of spots. */
export function strokeLine(pen: Pen, spots: readonly Spot[], dash: readonly number[] = []): void {
  const { context } = pen;
  context.beginPath();
  for (const [index, [x, y]] of spots.entries()) {
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.setLineDash([...dash]);
  context.stroke();
  context.setLineDash([]);
}

/** Distance of the lines of a hatch, px. */
const HATCH_PX = 8;

/** Hatches the inside of the path that `trace` lays, at 135° or, for what is stale, at 45°. */
export function hatch(pen: Pen, inside: Box, color: string, trace: () => void, slope: 1 | -1 = 1): void {
  const { context, size } = pen;
  // As far as it is in sight: a zoomed box may reach over thousands of pixels that nobody sees.
  const left = Math.max(0, inside.left);
  const right = Math.min(size.width_px, inside.right);
  const top = Math.max(0, inside.top);
  const bottom = Math.min(size.height_px, inside.bottom);
  if (right <= left || bottom <= top) return;
  context.save();
  context.beginPath();
  trace();
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.beginPath();
  const height = bottom - top;
  for (let x = left - height; x < right + height; x += HATCH_PX) {
    context.moveTo(x, slope === 1 ? top : bottom);
    context.lineTo(x + height, slope === 1 ? bottom : top);
  }
  context.stroke();
  context.restore();
}

/** Writes text with an edge in the scene's colour, so that lines under it do not cut it. */
export function writeText(
  { context, ink }: Pick<Plate, "context" | "ink">,
  text: string,
  [x, y]: Spot,
  color: string,
  align: CanvasTextAlign = "left",
): void {
  context.textAlign = align;
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = ink.scene;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

/** A length of the scale or the grid: "0.05 m", "0.5 m", "2 m". */
export function lengthText(length_m: number): string {
  return `${formatNumber(length_m, decimalsOf(length_m))} m`;
}

/** Decimals that tell multiples of a step apart: one that is rounded to them would be another length. */
export function decimalsOf(step_m: number): number {
  // The logarithm of a power of ten may come out a little below it.
  return Math.max(0, -Math.floor(Math.log10(step_m) + 1e-9));
}
