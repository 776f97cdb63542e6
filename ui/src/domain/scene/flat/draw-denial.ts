// A motion that was denied: its way as predicted, what is wrong with it as fact.

import { t } from "../../../locales/i18n";
import { PRIORITY } from "./draw-labels";
import { besides, squareAround } from "./labels";
import { type Pen, spot, strokeLine } from "./pen";
import type { SceneDenial } from "./scene-model";
import type { Spot } from "./view";

const START_PX = 4;
const CROSS_PX = 7;
const RING_PX = 6;

/** Draws the way, a cross at its worst point, and how far from there the nearest allowed point is. */
export function drawDenial(pen: Pen, { path_m, worst }: SceneDenial): void {
  const { context, ink } = pen;
  const way = path_m.map((point) => spot(pen, point));
  const start = way.length > 1 ? way[0] : undefined;
  const at = worst && spot(pen, worst.point_m);
  const nearest = worst?.nearest_m ? spot(pen, worst.nearest_m) : null;
  context.lineWidth = ink.strong_px;
  context.strokeStyle = ink.predicted;
  strokeLine(pen, way, [6, 5]);
  context.strokeStyle = ink.text;
  if (at && nearest) strokeLine(pen, [at, nearest]);
  if (at) strokeCross(pen, at);
  // It can be chosen, hence the colour of what can be acted on.
  if (nearest) {
    context.strokeStyle = ink.focus;
    drawDot(pen, nearest, RING_PX, ink.scene);
  }
  context.strokeStyle = ink.text;
  if (start) drawDot(pen, start, START_PX, ink.text);
  if (worst && at) nameSpot(pen, { id: "worst", text: worst.depth, strong: true }, at, CROSS_PX);
  if (nearest) nameSpot(pen, { id: "nearest", text: t("scene.nearest"), strong: false }, nearest, RING_PX);
  if (start) nameSpot(pen, { id: "start", text: t("scene.start"), strong: false }, start, START_PX);
}

type SpotName = { id: string; text: string; strong: boolean };

function nameSpot(pen: Pen, { id, text, strong }: SpotName, at: Spot, radius_px: number): void {
  pen.taken.push(squareAround(at, radius_px));
  pen.labels.push({
    id: `denial ${id}`,
    priority: strong ? PRIORITY.denial : PRIORITY.trouble,
    lines: [{ text, color: strong ? pen.ink.text : pen.ink.muted, strong }],
    places: (size) => besides(at, radius_px, size),
  });
}

function strokeCross(pen: Pen, [x, y]: Spot): void {
  for (const slope of [-1, 1]) {
    strokeLine(pen, [
      [x - CROSS_PX, y - slope * CROSS_PX],
      [x + CROSS_PX, y + slope * CROSS_PX],
    ]);
  }
}

function drawDot({ context }: Pen, [x, y]: Spot, radius_px: number, fill: string): void {
  context.beginPath();
  context.arc(x, y, radius_px, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.stroke();
}
