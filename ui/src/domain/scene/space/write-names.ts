// Names over the scene, on a flat canvas of their own: sharp, in the window's type, and never one over another.

import type { PerspectiveCamera } from "three";
import { Vector3 } from "three";
import type { Ink } from "../flat/ink";
import { lengthText, type Plate, writeName, writeText } from "../flat/pen";
import { t } from "../../../locales/i18n";
import type { PlacedName } from "./names";

/** Room between a point and its name. */
const NAME_PX = 5;
/** Distance of the grid's length from the corner. */
const CORNER_PX = 14;

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
  const size = { width_px: canvas.clientWidth, height_px: canvas.clientHeight };
  canvas.width = Math.round(size.width_px * devicePixelRatio);
  canvas.height = Math.round(size.height_px * devicePixelRatio);
  context.scale(devicePixelRatio, devicePixelRatio);
  const plate: Plate = { context, ink, size, labels: [] };
  for (const { text, at_m, muted } of names) {
    const seen = new Vector3(...at_m).project(camera);
    // A point behind the eye is projected too, and its name would be written in front.
    if (!(seen.z > -1 && seen.z < 1)) continue;
    writeName(
      plate,
      text,
      [((seen.x + 1) / 2) * size.width_px, ((1 - seen.y) / 2) * size.height_px],
      NAME_PX,
      muted ? ink.muted : ink.text,
    );
  }
  writeText(
    plate,
    t("scene.grid", { length: lengthText(grid_m) }),
    [size.width_px - CORNER_PX, size.height_px - CORNER_PX],
    ink.muted,
    "right",
  );
}
