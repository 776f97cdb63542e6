// Limits that have a place: workspaces as lines with ticks towards the allowed side, forbidden zones and keep-out boxes
// hatched.

import { t } from "../../../locales/i18n";
import { PRIORITY } from "./draw-labels";
import { roomOf } from "./frame";
import { axisOf, faceCorners, type SceneBox } from "./box";
import { around, type Box, squareAround, within } from "./labels";
import { boundsOf, edgesOf, hullOf, outlineOf } from "./outline";
import { hatch, type Pen, spot } from "./pen";
import type { SceneDenial, SceneVolume } from "./scene-model";
import { isWithin } from "./scene-plan";
import { AXES_OF, type CanvasSize, type Spot } from "./view";
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
    if (hit && denial && volume.kind !== "forbidden_zone")
      drawFaces(pen, volume, violatedFaces(volume, denial.worst, violated.length === 1));
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
      return traceAround(pen, outlineOf(volume, pen.camera, pen.size));
    case "forbidden_zone":
      pen.context.arc((left + right) / 2, (top + bottom) / 2, (right - left) / 2, 0, 2 * Math.PI);
      return;
    default:
      volume satisfies never;
  }
}

/** Lays a closed line as a path. */
function traceAround({ context }: Pen, spots: readonly Spot[]): void {
  for (const [index, [x, y]] of spots.entries()) {
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}

function boxOf(pen: Pen, volume: SceneVolume): Box {
  switch (volume.kind) {
    case "workspace":
    case "keep_out_box":
      return boundsOf(outlineOf(volume, pen.camera, pen.size));
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
  if (volume.kind === "workspace") drawTicks(pen, outlineOf(volume, pen.camera, pen.size));
}

/** A face that is looked at from closer than this to its front shows no edge, as a share of its axis. */
const FRONT_SHARE = 0.9;

/** The faces that would be gone through, and the space that would be taken beyond them, as far as it can be seen from here. */
function drawFaces(pen: Pen, box: SceneBox, faces: readonly ViolatedFace[]): void {
  const { context, ink, camera } = pen;
  const [right, up] = AXES_OF[camera.side];
  for (const { axis, at_m, to_m } of faces) {
    const direction = axisOf(box, axis);
    if (Math.hypot(direction[right], direction[up]) < Math.sqrt(1 - FRONT_SHARE ** 2)) continue;
    const face = faceCorners(box, axis, at_m).map((corner) => spot(pen, corner));
    if (to_m !== null) {
      const beyond = hullOf([...face, ...faceCorners(box, axis, to_m).map((corner) => spot(pen, corner))]);
      hatch(pen, boundsOf(beyond), ink.line, () => traceAround(pen, beyond));
    }
    context.strokeStyle = ink.text;
    context.lineWidth = FACE_STROKES * ink.strong_px;
    context.beginPath();
    traceAround(pen, hullOf(face));
    context.stroke();
  }
}

function middleOf(outline: readonly Spot[]): Spot {
  const at = (axis: 0 | 1) => outline.reduce((sum, corner) => sum + corner[axis], 0) / outline.length;
  return [at(0), at(1)];
}

/** Ticks on the inside, where the robot may be. */
function drawTicks(pen: Pen, outline: readonly Spot[]): void {
  const { context } = pen;
  const middle = middleOf(outline);
  context.lineWidth = 1;
  // One path for all of them: a stroke for each would take longer than the rest of the scene.
  context.beginPath();
  for (const [[ax, ay], [bx, by]] of edgesOf(outline)) {
    const length_px = Math.hypot(bx - ax, by - ay);
    if (length_px >= TICKED_PX_MAX) continue;
    const [along, down] = [(bx - ax) / length_px, (by - ay) / length_px];
    const inwards = -down * (middle[0] - ax) + along * (middle[1] - ay) < 0 ? -TICK_PX : TICK_PX;
    for (let at = TICK_EVERY_PX; at < length_px; at += TICK_EVERY_PX) {
      const [x, y] = [ax + along * at, ay + down * at];
      context.moveTo(x, y);
      context.lineTo(x - down * inwards, y + along * inwards);
    }
  }
  context.stroke();
}

function nameVolume(pen: Pen, volume: SceneVolume): void {
  const box = boxOf(pen, volume);
  const line = { text: textOf(volume), color: pen.ink.muted, strong: false };
  pen.labels.push({
    id: `limit ${volume.robot ?? ""} ${volume.constraint}`,
    priority: PRIORITY.limit,
    lines: [line],
    places: (size) => {
      if (volume.kind !== "workspace") return around(box, size);
      const corners = within(box, roomOf(pen.size), size);
      return volume.turned ? insideOf(outlineOf(volume, pen.camera, pen.size), corners, size) : corners;
    },
  });
}

/** Between a slanted edge and a name inside it, px. */
const INSET_PX = 10;

/** The boxes of these, and those at each edge, that lie inside a slanted outline. */
function insideOf(outline: readonly Spot[], corners: readonly Box[], { width_px, height_px }: CanvasSize): Box[] {
  const middle = middleOf(outline);
  const beside = edgesOf(outline).map(([[ax, ay], [bx, by]]): Box => {
    const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
    const away_px = Math.max(1, Math.hypot(middle[0] - x, middle[1] - y));
    const [across, down] = [(middle[0] - x) / away_px, (middle[1] - y) / away_px];
    // As far as the nearest corner of the name needs.
    const in_px = INSET_PX + (Math.abs(across) * width_px + Math.abs(down) * height_px) / 2;
    const [left, top] = [x + across * in_px - width_px / 2, y + down * in_px - height_px / 2];
    return { left, top, right: left + width_px, bottom: top + height_px };
  });
  const above = beside.toSorted((a, b) => a.top - b.top);
  return [...corners, ...above].filter(({ left, top, right, bottom }) =>
    [left, right].every((x) => [top, bottom].every((y) => isWithin(outline, [x, y]))),
  );
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
