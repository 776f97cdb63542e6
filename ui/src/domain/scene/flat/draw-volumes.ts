// Limits that have a place: workspaces as outlines, forbidden zones as crossed circles, keep-out boxes as crossed
// boxes.

import { t } from "../../../locales/i18n";
import { type Pen, spot, strokeLine, writeLabel } from "./pen";
import type { SceneVolume } from "./scene-model";

/** Whose limits are drawn, and which of them a motion would violate. */
export type VolumeLook = { focus: string | null; violated: readonly string[] };

/** Draws every limit; those that are violated stand out by their stroke. */
export function drawVolumes(pen: Pen, volumes: readonly SceneVolume[], { focus, violated }: VolumeLook): void {
  for (const volume of volumes) {
    if (focus !== null && volume.robot !== null && volume.robot !== focus) continue;
    const hit = violated.includes(volume.constraint);
    drawVolume(pen, volume, hit);
    // Beside a denial only what it is about needs a name.
    if (hit || violated.length === 0) nameVolume(pen, volume);
  }
}

/** The name of a narrower workspace would lie across its edges. */
const NAMED_PX_MIN = 80;

/** Dash and gap in the outline of a draft, pixels. */
const DRAFT_DASH: readonly number[] = [6, 5];

/** Draws limits that are not in force: dashed, in the colour of predictions. */
export function drawDrafts(pen: Pen, drafts: readonly SceneVolume[]): void {
  const { context, ink } = pen;
  context.strokeStyle = ink.predicted;
  context.lineWidth = ink.strong_px;
  context.setLineDash([...DRAFT_DASH]);
  for (const draft of drafts) strokeOutline(pen, draft);
  context.setLineDash([]);
}

/** Strokes where a limit ends. */
function strokeOutline(pen: Pen, volume: SceneVolume): void {
  const { context } = pen;
  switch (volume.kind) {
    case "workspace":
    case "keep_out_box": {
      const [left, bottom] = spot(pen, volume.min_m);
      const [right, top] = spot(pen, volume.max_m);
      context.strokeRect(left, top, right - left, bottom - top);
      return;
    }
    case "forbidden_zone": {
      const [x, y] = spot(pen, volume.center_m);
      context.beginPath();
      context.arc(x, y, volume.radius_m * pen.camera.px_per_m, 0, 2 * Math.PI);
      context.stroke();
      return;
    }
    default:
      volume satisfies never;
  }
}

function drawVolume(pen: Pen, volume: SceneVolume, violated: boolean): void {
  const { context, ink } = pen;
  context.lineWidth = violated ? ink.strong_px : ink.stroke_px;
  switch (volume.kind) {
    case "workspace": {
      context.strokeStyle = violated ? ink.text : ink.line;
      strokeOutline(pen, volume);
      return;
    }
    case "keep_out_box": {
      const [left, bottom] = spot(pen, volume.min_m);
      const [right, top] = spot(pen, volume.max_m);
      context.strokeStyle = ink.text;
      strokeOutline(pen, volume);
      strokeLine(pen, [
        [left, bottom],
        [right, top],
      ]);
      return;
    }
    case "forbidden_zone": {
      const [x, y] = spot(pen, volume.center_m);
      const radius_px = volume.radius_m * pen.camera.px_per_m;
      const reach = radius_px * Math.SQRT1_2;
      context.strokeStyle = ink.text;
      strokeOutline(pen, volume);
      strokeLine(pen, [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ]);
      return;
    }
    default:
      volume satisfies never;
  }
}

function nameVolume(pen: Pen, volume: SceneVolume): void {
  switch (volume.kind) {
    case "workspace": {
      const [left] = spot(pen, volume.min_m);
      const [right, top] = spot(pen, volume.max_m);
      if (right - left > NAMED_PX_MIN)
        writeLabel(pen, t("scene.workspace", { robot: volume.robot ?? "" }), [left + 6, top + 11]);
      return;
    }
    case "keep_out_box": {
      const [left] = spot(pen, volume.min_m);
      const [right, top] = spot(pen, volume.max_m);
      writeLabel(pen, t("scene.keep_out"), [(left + right) / 2, top - 9], "center");
      return;
    }
    case "forbidden_zone": {
      const [x, y] = spot(pen, volume.center_m);
      writeLabel(pen, t("scene.zone"), [x, y - volume.radius_m * pen.camera.px_per_m - 9], "center");
      return;
    }
    default:
      volume satisfies never;
  }
}
