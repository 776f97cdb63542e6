// Limits that have a place: workspaces as lines with ticks towards the allowed side, forbidden zones and keep-out boxes
// hatched.

import { t } from "../../../locales/i18n";
import { PRIORITY } from "./draw-labels";
import { roomOf } from "./frame";
import { around, type Box, squareAround, within } from "./labels";
import { hatch, type Pen, spot, strokeLine } from "./pen";
import type { SceneDenial, SceneVolume } from "./scene-model";
import { AXES_OF, type Spot, toSpot, unflatten } from "./view";
import { type ViolatedFace, violatedFaces } from "./violated-faces";

/** Whose limits are drawn, and what a denied motion would violate. */
export type VolumeLook = { focus: string | null; denial: Pick<SceneDenial, "constraints" | "worst"> | null };

/** A violated face is as wide as this many strong strokes. */
const FACE_STROKES = 2;

/** Draws every limit; those that are violated stand out by their stroke. */
export function drawVolumes(pen: Pen, volumes: readonly SceneVolume[], { focus, denial }: VolumeLook): void {
  const violated = denial?.constraints ?? [];
  for (const volume of volumes) {
    if (focus !== null && volume.robot !== null && volume.robot !== focus) continue;
    const hit = violated.includes(volume.constraint);
    drawVolume(pen, volume, hit);
    if (hit && denial) drawFaces(pen, volume, violatedFaces(volume, denial.worst, violated.length === 1));
    // Beside a denial only what it is about needs a name.
    if (hit || violated.length === 0) nameVolume(pen, volume);
  }
}

/** Dash and gap in the outline of what is not in force yet, pixels. */
export const DRAFT_DASH: readonly number[] = [6, 5];
/** Distance and length of the ticks of a workspace, px. */
const TICK_EVERY_PX = 12;
const TICK_PX = 5;
/** An edge longer than this is mostly out of sight, and its ticks would take longer than the rest. */
const TICKED_PX_MAX = 6_000;

/** Draws limits that are not in force: dashed, in the colour of predictions. */
export function drawDrafts(pen: Pen, drafts: readonly SceneVolume[]): void {
  const { context, ink } = pen;
  context.strokeStyle = ink.predicted;
  context.lineWidth = ink.strong_px;
  for (const draft of drafts) {
    context.setLineDash([...DRAFT_DASH]);
    context.beginPath();
    trace(pen, draft);
    context.stroke();
    context.setLineDash([]);
  }
}

/** Lays the outline of a limit as a path. */
function trace(pen: Pen, volume: SceneVolume): void {
  const { left, top, right, bottom } = boxOf(pen, volume);
  switch (volume.kind) {
    case "workspace":
    case "keep_out_box":
      pen.context.rect(left, top, right - left, bottom - top);
      return;
    case "forbidden_zone":
      pen.context.arc((left + right) / 2, (top + bottom) / 2, (right - left) / 2, 0, 2 * Math.PI);
      return;
    default:
      volume satisfies never;
  }
}

function boxOf(pen: Pen, volume: SceneVolume): Box {
  switch (volume.kind) {
    case "workspace":
    case "keep_out_box": {
      const [left, bottom] = spot(pen, volume.min_m);
      const [right, top] = spot(pen, volume.max_m);
      return { left, top, right, bottom };
    }
    case "forbidden_zone":
      return squareAround(spot(pen, volume.center_m), volume.radius_m * pen.camera.px_per_m);
  }
}

function drawVolume(pen: Pen, volume: SceneVolume, violated: boolean): void {
  const { context, ink } = pen;
  const box = boxOf(pen, volume);
  if (volume.kind !== "workspace") hatch(pen, box, ink.line, () => trace(pen, volume));
  context.lineWidth = violated ? ink.strong_px : ink.stroke_px;
  context.strokeStyle = violated ? ink.text : ink.line;
  context.beginPath();
  trace(pen, volume);
  context.stroke();
  if (volume.kind === "workspace") drawTicks(pen, box);
}

/** The faces that would be gone through, and the space that would be taken beyond them, as far as it can be seen from here. */
function drawFaces(pen: Pen, volume: SceneVolume, faces: readonly ViolatedFace[]): void {
  const { context, ink, camera } = pen;
  const box = boxOf(pen, volume);
  const [right, up] = AXES_OF[camera.side];
  for (const { axis, at_m, to_m } of faces) {
    if (axis !== right && axis !== up) continue;
    const at = axis === right ? xOf(pen, at_m) : yOf(pen, at_m);
    if (to_m !== null) {
      const to = axis === right ? xOf(pen, to_m) : yOf(pen, to_m);
      const [low, high] = [Math.min(at, to), Math.max(at, to)];
      const beyond = axis === right ? { ...box, left: low, right: high } : { ...box, top: low, bottom: high };
      const { left, top } = beyond;
      hatch(pen, beyond, ink.line, () => context.rect(left, top, beyond.right - left, beyond.bottom - top));
    }
    context.strokeStyle = ink.text;
    context.lineWidth = FACE_STROKES * ink.strong_px;
    const ends: [Spot, Spot] =
      axis === right
        ? [
            [at, box.top],
            [at, box.bottom],
          ]
        : [
            [box.left, at],
            [box.right, at],
          ];
    strokeLine(pen, ends);
  }
}

/** The place of a coordinate that the side shows to the right. */
function xOf({ camera, size }: Pen, right_m: number): number {
  return toSpot(camera, size, unflatten(camera.side, [right_m, 0], [0, 0, 0]))[0];
}

/** The place of a coordinate that the side shows upwards. */
function yOf({ camera, size }: Pen, up_m: number): number {
  return toSpot(camera, size, unflatten(camera.side, [0, up_m], [0, 0, 0]))[1];
}

/** Ticks on the inside, where the robot may be. */
function drawTicks(pen: Pen, { left, top, right, bottom }: Box): void {
  pen.context.lineWidth = 1;
  if (right - left < TICKED_PX_MAX) {
    for (let x = left + TICK_EVERY_PX; x < right; x += TICK_EVERY_PX) {
      strokeLine(pen, [
        [x, top],
        [x, top + TICK_PX],
      ]);
      strokeLine(pen, [
        [x, bottom],
        [x, bottom - TICK_PX],
      ]);
    }
  }
  if (bottom - top >= TICKED_PX_MAX) return;
  for (let y = top + TICK_EVERY_PX; y < bottom; y += TICK_EVERY_PX) {
    strokeLine(pen, [
      [left, y],
      [left + TICK_PX, y],
    ]);
    strokeLine(pen, [
      [right, y],
      [right - TICK_PX, y],
    ]);
  }
}

function nameVolume(pen: Pen, volume: SceneVolume): void {
  const box = boxOf(pen, volume);
  const line = { text: textOf(volume), color: pen.ink.muted, strong: false };
  pen.labels.push({
    id: `limit ${volume.robot ?? ""} ${volume.constraint}`,
    priority: PRIORITY.limit,
    lines: [line],
    places: (size) => (volume.kind === "workspace" ? within(box, roomOf(pen.size), size) : around(box, size)),
  });
}

function textOf(volume: SceneVolume): string {
  switch (volume.kind) {
    case "workspace":
      return t("scene.workspace", { robot: volume.robot ?? "" });
    case "keep_out_box":
      return t("scene.keep_out");
    case "forbidden_zone":
      return t("scene.zone");
  }
}
