// A goal as it is typed and dragged.

import type { RawMotion } from "../../../generated/bindings/RawMotion";
import { fieldText, parseDecimal } from "../../../design/fields/decimal";
import type { Vec3 } from "../../../domain/scene/flat/transform";

/** A walking pace of machines: what is sent far should not be fast by default. */
const SPEED_MPS_FIRST = 0.1;

/** Axes of a place, in the order of its coordinates. */
export const AXES = ["x", "y", "z"] as const;

/** The texts of the fields. */
export type GoalDraft = Readonly<Record<(typeof AXES)[number] | "speed", string>>;

/** A draft that leads to `position_m`. */
export function draftAt([x, y, z]: Vec3, speed: string = fieldText(SPEED_MPS_FIRST)): GoalDraft {
  return { x: fieldText(x), y: fieldText(y), z: fieldText(z), speed };
}

/** The place that is meant; null if a coordinate is no number. */
export function placeOf(draft: GoalDraft): Vec3 | null {
  const [x, y, z] = [numberIn(draft.x), numberIn(draft.y), numberIn(draft.z)];
  return x === null || y === null || z === null ? null : [x, y, z];
}

/** The speed that is meant, above zero; whether it is too fast, the station says. */
export function speedOf({ speed }: GoalDraft): number | null {
  const mps = numberIn(speed);
  return mps !== null && mps > 0 ? mps : null;
}

/** The motion that is meant; null while a field does not hold what it needs. */
export function motionOf(draft: GoalDraft): RawMotion | null {
  const [position_m, speed_mps] = [placeOf(draft), speedOf(draft)];
  return position_m && speed_mps !== null ? { pose_goal: { position_m: [...position_m], speed_mps } } : null;
}

function numberIn(text: string): number | null {
  const decimal = parseDecimal(text);
  return "value" in decimal ? decimal.value : null;
}
