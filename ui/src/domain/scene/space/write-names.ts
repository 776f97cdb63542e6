// Names over the scene, on a flat canvas of their own: sharp, in the window's type, and never one over another.

import type { PerspectiveCamera } from "three";
import { Vector3 } from "three";
import type { Ink } from "../flat/ink";
import { cleared } from "../flat/canvas";
import { drawLabels, PRIORITY } from "../flat/draw-labels";
import { besides } from "../flat/labels";
import { lengthText, type Plate, writeText } from "../flat/pen";
import { t } from "../../../locales/i18n";
import type { PlacedName } from "./names";

/** Room between a point and its name. */
const NAME_PX = 5;
/** Distance of the grid's length from the corner. */
const CORNER_PX = 14;
/** Width of that corner. */
const GRID_PX = 110;
/** Turning changes every place, so that none is kept. */
const NOWHERE = new Map<string, number>();

/** Writes each name where the camera sees its point, and how long a step of the grid is. */
export function writeNames(
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  ink: Ink,
  names: readonly PlacedName[],
  grid_m: number,
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const size = cleared(canvas, context);
  const plate: Plate = { context, ink, size, labels: [], taken: [] };
  for (const [index, { text, at_m, muted }] of names.entries()) {
    const seen = new Vector3(...at_m).project(camera);
    // A point behind the eye is projected too, and its name would be written in front.
    if (!(seen.z > -1 && seen.z < 1)) continue;
    const at = [((seen.x + 1) / 2) * size.width_px, ((1 - seen.y) / 2) * size.height_px] as const;
    plate.labels.push({
      id: `${index}`,
      priority: muted ? PRIORITY.limit : PRIORITY.robot,
      lines: [{ text, color: muted ? ink.muted : ink.text, strong: !muted }],
      places: (box) => besides(at, NAME_PX, box),
    });
  }
  const corner = { left: size.width_px - GRID_PX, top: size.height_px - 2 * CORNER_PX };
  plate.taken.push({ ...corner, right: size.width_px, bottom: size.height_px });
  drawLabels(plate, { left: 0, top: 0, right: size.width_px, bottom: size.height_px }, NOWHERE);
  context.font = ink.font;
  writeText(
    plate,
    t("scene.grid", { length: lengthText(grid_m) }),
    [size.width_px - CORNER_PX, size.height_px - CORNER_PX],
    ink.muted,
    "right",
  );
}
