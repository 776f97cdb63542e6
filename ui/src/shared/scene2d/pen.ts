// What every drawing function is given.

import { formatNumber } from "../format/numbers";
import type { Ink } from "./ink";
import type { Vec3 } from "./transform";
import { type Camera, type CanvasSize, type Spot, toSpot } from "./view";

/** A canvas, the theme and the view. */
export type Pen = { context: CanvasRenderingContext2D; ink: Ink; camera: Camera; size: CanvasSize };

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

/** Writes text with an edge in the ground's colour, so that lines under it do not cut it. */
export function writeText(pen: Pen, text: string, [x, y]: Spot, color: string, align: CanvasTextAlign = "left"): void {
  const { context, ink } = pen;
  context.font = ink.font;
  context.textAlign = align;
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = ink.panel;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

/** A length of the scale or the grid: "0.5 m", "2 m". */
export function lengthText(length_m: number): string {
  return `${formatNumber(length_m, length_m < 1 ? 1 : 0)} m`;
}
