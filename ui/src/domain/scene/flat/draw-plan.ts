// The site plan under everything else: areas as faint surfaces with muted names, walls as broad lines.

import { PRIORITY } from "./draw-labels";
import { DRAFT_DASH } from "./draw-volumes";
import { roomOf } from "./frame";
import { type Box, within } from "./labels";
import { type Pen, spot } from "./pen";
import { isWithin, type PlanPoint, type ScenePlan } from "./scene-plan";
import type { CanvasSize, Spot } from "./view";

/** Thickness of a wall, metres, and its bounds on screen, px. */
const WALL_M = 0.1;
const WALL_PX = { min: 1.5, max: 4 };
/** The grid is seen through an area. */
const AREA_OPACITY = 0.8;

/** Draws the areas of a plan; from the front and from the side each would be one line. */
export function drawAreas(pen: Pen, plan: ScenePlan): void {
  const { context, ink, camera } = pen;
  if (camera.side !== "top") return;
  context.save();
  context.fillStyle = ink.plan_fill;
  context.globalAlpha = AREA_OPACITY;
  for (const { corners } of plan.areas) {
    context.beginPath();
    trace(pen, corners);
    context.fill();
  }
  context.restore();
}

/** Draws the walls of a plan and writes the names of its areas. */
export function drawPlan(pen: Pen, plan: ScenePlan): void {
  const { context, ink, camera } = pen;
  if (camera.side !== "top") return;
  context.save();
  context.strokeStyle = ink.plan;
  context.lineWidth = Math.min(WALL_PX.max, Math.max(WALL_PX.min, WALL_M * camera.px_per_m));
  context.lineJoin = "miter";
  context.lineCap = "square";
  context.beginPath();
  for (const wall of plan.walls) trace(pen, wall);
  context.stroke();
  context.restore();
  for (const [index, { name, corners }] of plan.areas.entries()) nameArea(pen, index, name, corners);
}

/** Draws the edge of an area that is not saved yet. */
export function drawOutline(pen: Pen, corners: readonly PlanPoint[]): void {
  const { context, ink, camera } = pen;
  if (camera.side !== "top" || corners.length < 2) return;
  context.strokeStyle = ink.predicted;
  context.lineWidth = ink.strong_px;
  context.setLineDash([...DRAFT_DASH]);
  context.beginPath();
  trace(pen, corners);
  context.closePath();
  context.stroke();
  context.setLineDash([]);
}

function trace(pen: Pen, points: readonly PlanPoint[]): void {
  for (const [index, [x, y]] of points.entries()) {
    const [right, down] = spot(pen, [x, y, 0]);
    if (index === 0) pen.context.moveTo(right, down);
    else pen.context.lineTo(right, down);
  }
}

/** A name stands inside its area, or nowhere. */
function nameArea(pen: Pen, index: number, name: string, corners: readonly PlanPoint[]): void {
  const seen = corners.map(([x, y]) => spot(pen, [x, y, 0]));
  const rights = seen.map(([x]) => x);
  const downs = seen.map(([, y]) => y);
  const box = {
    left: Math.min(...rights),
    top: Math.min(...downs),
    right: Math.max(...rights),
    bottom: Math.max(...downs),
  };
  const isInside = ({ left, top, right, bottom }: Box) =>
    [left, right].every((x) => [top, bottom].every((y) => isWithin(seen, [x, y])));
  pen.labels.push({
    id: `area ${index}`,
    priority: PRIORITY.area,
    lines: [{ text: name, color: pen.ink.muted, strong: false }],
    places: (size) => [...within(box, roomOf(pen.size), size), amid(seen, size)].filter(isInside),
  });
}

/** The box in the middle of some spots. */
function amid(spots: readonly Spot[], { width_px, height_px }: CanvasSize): Box {
  const left = spots.reduce((sum, [x]) => sum + x, 0) / spots.length - width_px / 2;
  const top = spots.reduce((sum, [, y]) => sum + y, 0) / spots.length - height_px / 2;
  return { left, top, right: left + width_px, bottom: top + height_px };
}
