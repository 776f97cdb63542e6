// Predicted motions: dashed, in the colour of predictions, with the band that the body sweeps.

import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import { PRIORITY } from "./draw-labels";
import { besides, squareAround } from "./labels";
import { type Pen, spot, strokeLine } from "./pen";
import type { SceneGoal, SceneMargin } from "./scene-model";
import { distance, type Vec3 } from "./transform";
import type { Spot } from "./view";

/** A goal without a body is a ring of this size. */
const RING_PX = 7;
const CORNER_PX = 3.5;
const BAND_ALPHA = 0.16;
/** Half the tick at each end of a dimension. */
const TICK_PX = 5;
/** A shorter dimension has no room for its ticks. */
const DIMENSION_PX_MIN = 6;

/** Fills what each body would sweep, on a sheet of its own: its edge is cut out of a wider band. */
export function drawBands(pen: Pen, goals: readonly SceneGoal[]): void {
  const { context, ink, camera } = pen;
  const swept = goals.filter(({ body_radius_m }) => 2 * body_radius_m * camera.px_per_m >= RING_PX);
  if (swept.length === 0) return;
  const sheet = sheetOf(context.canvas);
  const on = sheet.getContext("2d");
  if (!on) return;
  on.resetTransform();
  on.globalCompositeOperation = "source-over";
  on.clearRect(0, 0, sheet.width, sheet.height);
  on.setTransform(context.getTransform());
  on.lineCap = "round";
  on.lineJoin = "round";
  on.strokeStyle = ink.predicted;
  for (const { path_m, body_radius_m } of swept) {
    const width_px = 2 * body_radius_m * camera.px_per_m;
    const way = path_m.map((point) => spot(pen, point));
    const stroke = (line_px: number, alpha: number, how: GlobalCompositeOperation) => {
      on.globalCompositeOperation = how;
      on.globalAlpha = alpha;
      on.lineWidth = line_px;
      strokeLine({ ...pen, context: on }, way);
    };
    stroke(width_px + ink.stroke_px, 1, "source-over");
    stroke(width_px - ink.stroke_px, 1, "destination-out");
    stroke(width_px - ink.stroke_px, BAND_ALPHA, "source-over");
  }
  context.save();
  context.resetTransform();
  context.drawImage(sheet, 0, 0);
  context.restore();
}

/** One sheet for each scene: a new one for every drawing would be megabytes, many times a second. */
const sheets = new WeakMap<HTMLCanvasElement, HTMLCanvasElement>();

/** The sheet of a canvas, as large as that. */
export function sheetOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const sheet = sheets.get(canvas) ?? document.createElement("canvas");
  sheets.set(canvas, sheet);
  if (sheet.width !== canvas.width) sheet.width = canvas.width;
  if (sheet.height !== canvas.height) sheet.height = canvas.height;
  return sheet;
}

/** Draws each way with its corners, and the body at its end. */
export function drawGoals(pen: Pen, goals: readonly SceneGoal[]): void {
  const { context, ink } = pen;
  for (const [index, goal] of goals.entries()) {
    const way = goal.path_m.map((point) => spot(pen, point));
    const to = spot(pen, goal.to_m);
    const radius_px = Math.max(RING_PX, goal.body_radius_m * pen.camera.px_per_m);
    context.strokeStyle = ink.predicted;
    context.lineWidth = ink.strong_px;
    strokeLine(pen, way, [6, 5]);
    context.setLineDash([4, 3]);
    context.beginPath();
    context.arc(...to, radius_px, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
    for (const corner of way.slice(1)) drawCorner(pen, corner);
    nameCorners(pen, goal, index);
    pen.taken.push(squareAround(to, radius_px));
    pen.labels.push({
      // A robot may have several goals: names of one id would be written over one another.
      id: `goal ${goal.robot} ${index}`,
      priority: PRIORITY.goal,
      lines: [
        { text: goal.robot, color: ink.predicted, strong: true },
        { text: goalText(goal), color: ink.predicted, strong: false },
      ],
      places: (size) => besides(to, radius_px, size),
    });
  }
}

/** Draws how much room the nearest limit leaves. */
export function drawMargin(pen: Pen, { edge_m, bound_m, room, limit }: SceneMargin): void {
  const { context, ink } = pen;
  const [edge, bound] = [spot(pen, edge_m), spot(pen, bound_m)];
  const [across, down] = [bound[0] - edge[0], bound[1] - edge[1]];
  const length_px = Math.hypot(across, down);
  context.strokeStyle = ink.text;
  context.lineWidth = ink.stroke_px;
  // The limit is above or below what is seen from here.
  if (length_px < DIMENSION_PX_MIN) return;
  strokeLine(pen, [edge, bound]);
  const tick: Spot = [(-down / length_px) * TICK_PX, (across / length_px) * TICK_PX];
  for (const [x, y] of [edge, bound]) {
    strokeLine(pen, [
      [x - tick[0], y - tick[1]],
      [x + tick[0], y + tick[1]],
    ]);
  }
  const middle: Spot = [edge[0] + across / 2, edge[1] + down / 2];
  pen.labels.push({
    id: "margin",
    priority: PRIORITY.chosen,
    lines: [
      { text: room, color: ink.text, strong: true },
      { text: limit, color: ink.muted, strong: false },
    ],
    places: (size) => besides(middle, TICK_PX, size),
  });
}

function drawCorner({ context, ink }: Pen, [x, y]: Spot): void {
  context.beginPath();
  context.arc(x, y, CORNER_PX, 0, 2 * Math.PI);
  context.fillStyle = ink.scene;
  context.fill();
  context.stroke();
}

/** Writes at each corner between the ends when it would be passed. */
function nameCorners(pen: Pen, { robot, path_m, duration_s }: SceneGoal, goal: number): void {
  if (duration_s === null) return;
  const passed_m = distances(path_m);
  const whole_m = passed_m.at(-1) ?? 0;
  for (const [index, corner_m] of path_m.slice(1, -1).entries()) {
    const share = whole_m === 0 ? 0 : (passed_m[index + 1] ?? 0) / whole_m;
    pen.labels.push({
      id: `corner ${robot} ${goal} ${index}`,
      priority: PRIORITY.draft,
      lines: [{ text: secondsText(share * duration_s), color: pen.ink.muted, strong: false }],
      places: (size) => besides(spot(pen, corner_m), CORNER_PX, size),
    });
  }
}

/** Distance along the way to each of its points, metres. */
function distances(path_m: readonly Vec3[]): number[] {
  let passed_m = 0;
  return path_m.map((point, index) => {
    passed_m += distance(point, path_m[index - 1] ?? point);
    return passed_m;
  });
}

function goalText({ duration_s }: SceneGoal): string {
  return duration_s === null ? t("scene.goal") : t("scene.goal_in", { duration: secondsText(duration_s) });
}

function secondsText(seconds: number): string {
  return `${formatNumber(seconds, seconds < 10 ? 1 : 0)} s`;
}
