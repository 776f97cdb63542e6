// Common input of the drawing functions, and the strokes they share.

import { formatNumber } from "../../../design/format/numbers";
import type { Ink } from "./ink";
import type { Vec3 } from "./transform";
import { type Camera, type CanvasSize, type Spot, toSpot } from "./view";

/** A canvas, the theme and the view. `labels` are the places names already stand at. */
export type Pen = { context: CanvasRenderingContext2D; ink: Ink; camera: Camera; size: CanvasSize; labels: Box[] };

/** A pen for names: a drawing that places its points otherwise has no camera of this kind. */
export type Plate = Omit<Pen, "camera">;

/** A place on the canvas that a name takes. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** Height of a line of text, with air. */
const LINE_PX = 18;

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
export function writeText(
  pen: Plate,
  text: string,
  [x, y]: Spot,
  color: string,
  align: CanvasTextAlign = "left",
): void {
  const { context, ink } = pen;
  context.font = ink.font;
  context.textAlign = align;
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = ink.scene;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

/** Writes a muted name at a fixed place, which other names then keep clear of. */
export function writeLabel(pen: Plate, text: string, [x, y]: Spot, align: "left" | "center" = "left"): void {
  pen.context.font = pen.ink.font;
  const width_px = pen.context.measureText(text).width;
  const left = align === "center" ? x - width_px / 2 : x;
  pen.labels.push({ left, top: y - LINE_PX / 2, right: left + width_px, bottom: y + LINE_PX / 2 });
  writeText(pen, text, [x, y], pen.ink.muted, align);
}

/** Writes a name beside a thing of this radius, where no other name stands. */
export function writeName(pen: Plate, text: string, [x, y]: Spot, radius_px: number, color: string): void {
  pen.context.font = pen.ink.font;
  const width_px = pen.context.measureText(text).width;
  const right = x + radius_px + 6;
  const left = x - radius_px - 6 - width_px;
  const places: readonly Spot[] = [10, -10, 10 + LINE_PX, -10 - LINE_PX].flatMap((down): Spot[] => [
    [right, y + down],
    [left, y + down],
  ]);
  const boxed = places.map(([at, middle]) => ({
    spot: [at, middle] as const,
    box: { left: at, top: middle - LINE_PX / 2, right: at + width_px, bottom: middle + LINE_PX / 2 },
  }));
  const inside = ({ box }: (typeof boxed)[number]) => box.left >= 0 && box.right <= pen.size.width_px;
  const free =
    boxed.find((place) => inside(place) && pen.labels.every((other) => !overlap(place.box, other))) ?? boxed[0];
  if (!free) return;
  pen.labels.push(free.box);
  writeText(pen, text, free.spot, color);
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** A length of the scale or the grid: "0.5 m", "2 m". */
export function lengthText(length_m: number): string {
  return `${formatNumber(length_m, length_m < 1 ? 1 : 0)} m`;
}
