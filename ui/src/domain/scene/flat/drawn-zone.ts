// A zone that was drawn on a scene, as a part of an address: the form that it is written down in opens with it.

import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";

/** A keep-out box and its frame. */
export type DrawnZone = { frame: string; limit: ConstraintKind };

/** Numbers of a box: three of the lower corner, three of the upper one. */
const NUMBERS = 6;

/** The part of an address that holds a zone: `map;-1,0,-0.5,2,1,2`. */
export function zonePart({ frame, limit }: DrawnZone): string {
  const { min, max } = "KeepOutBox" in limit ? limit.KeepOutBox : { min: [], max: [] };
  return encodeURIComponent(`${frame};${[...min, ...max].join(",")}`);
}

/** The zone of an address that anybody may have written; null if it is none, or of a frame that is not one of these. */
export function zoneFrom(part: string, frames: readonly string[]): DrawnZone | null {
  const cut = part.lastIndexOf(";");
  const frame = part.slice(0, Math.max(0, cut));
  const texts = part.slice(cut + 1).split(",");
  // Number reads an empty text as 0, which would be a corner that nobody wrote.
  const [x0, y0, z0, x1, y1, z1] = texts.map((text) => (text.trim() === "" ? Number.NaN : Number(text)));
  if (x0 === undefined || y0 === undefined || z0 === undefined) return null;
  if (x1 === undefined || y1 === undefined || z1 === undefined) return null;
  const isBox = texts.length === NUMBERS && [x0, y0, z0, x1, y1, z1].every(Number.isFinite);
  if (!isBox || x0 >= x1 || y0 >= y1 || z0 >= z1 || !frames.includes(frame)) return null;
  return { frame, limit: { KeepOutBox: { min: [x0, y0, z0], max: [x1, y1, z1] } } };
}
