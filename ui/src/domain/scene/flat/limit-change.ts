// A limit in force whose numbers are moved on a scene: what would change, which way, and the numbers as a part of an
// address. Which way it is, the station decides; this says it beforehand.

import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import { t } from "../../../locales/i18n";
import { limitName } from "../../verdict/verdict-words";
import { shapeOf } from "./handles";

/** `tighter` where everything that would be allowed is allowed now; what is not clear is `looser`. */
export type Direction = "same" | "tighter" | "looser";

/** A number of a limit before and after. */
export type ChangedNumber = { label: string; old_m: number; new_m: number };

const AXES = [0, 1, 2] as const;
const ENDS = [0, 1] as const;
const NAMES = "xyz";
/** A digit of a rounded number is no change. */
const TOLERANCE_M = 1e-9;

/** The kind of a limit with a place, in words. */
export function placedName(limit: ConstraintKind): string {
  if ("Workspace" in limit) return limitName("workspace");
  return limitName("KeepOutBox" in limit ? "keep_out_box" : "forbidden_zone");
}

/** The numbers that differ. */
export function changedNumbers(old: ConstraintKind, wanted: ConstraintKind): ChangedNumber[] {
  const after = numbersOf(wanted);
  return numbersOf(old).flatMap(({ label, value_m }, place) => {
    const new_m = after[place]?.value_m ?? value_m;
    return Math.abs(new_m - value_m) > TOLERANCE_M ? [{ label, old_m: value_m, new_m }] : [];
  });
}

/** The way in which a limit would change. */
export function directionOf(old: ConstraintKind, wanted: ConstraintKind): Direction {
  if (changedNumbers(old, wanted).length === 0) return "same";
  const [before, after] = [shapeOf(old), shapeOf(wanted)];
  if (before === null || after === null) return "looser";
  if ("sphere" in before && "sphere" in after) {
    // A ball shuts out more only if the old one lies within it.
    const away_m = Math.hypot(...AXES.map((axis) => before.sphere.center[axis] - after.sphere.center[axis]));
    return away_m + before.sphere.radius <= after.sphere.radius + TOLERANCE_M ? "tighter" : "looser";
  }
  if ("sphere" in before || "sphere" in after) return "looser";
  // A workspace shuts out what is beyond it, a box what is within.
  const [outer, inner] = "Workspace" in old ? [before, after] : [after, before];
  const within = AXES.every(
    (axis) =>
      outer.spans[axis][0] <= inner.spans[axis][0] + TOLERANCE_M &&
      inner.spans[axis][1] <= outer.spans[axis][1] + TOLERANCE_M,
  );
  return within ? "tighter" : "looser";
}

/** The part of an address that holds the numbers of a limit. */
export function numbersPart(limit: ConstraintKind): string {
  return numbersOf(limit)
    .map(({ value_m }) => value_m)
    .join(",");
}

/** The limit of the kind of `old` with the numbers of an address that anybody may have written; null if they make none. */
export function limitFrom(old: ConstraintKind, part: string): ConstraintKind | null {
  // Number reads an empty text as 0, which would be a limit that nobody wrote.
  const numbers = part.split(",").map((text) => (text.trim() === "" ? Number.NaN : Number(text)));
  if (numbers.length !== numbersOf(old).length || !numbers.every(Number.isFinite)) return null;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  if ("ForbiddenZone" in old) return d > 0 ? { ForbiddenZone: { center: [a, b, c], radius: d } } : null;
  if (!(a < b && c < d && e < f)) return null;
  if ("Workspace" in old) return { Workspace: { x: [a, b], y: [c, d], z: [e, f] } };
  return "KeepOutBox" in old ? { KeepOutBox: { min: [a, c, e], max: [b, d, f] } } : null;
}

function numbersOf(limit: ConstraintKind): { label: string; value_m: number }[] {
  const shape = shapeOf(limit);
  if (shape === null) return [];
  if ("sphere" in shape) {
    const { center, radius } = shape.sphere;
    const middle = AXES.map((axis) => ({ label: t("field.center", { axis: NAMES[axis] }), value_m: center[axis] }));
    return [...middle, { label: t("field.radius"), value_m: radius }];
  }
  return AXES.flatMap((axis) =>
    ENDS.map((end) => ({
      label: t(end === 0 ? "field.min" : "field.max", { axis: NAMES[axis] }),
      value_m: shape.spans[axis][end],
    })),
  );
}
