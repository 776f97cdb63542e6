// When a newer value of a signal says something else than the one on the screen.

import type { PoseValue } from "../generated/bindings/PoseValue";
import type { Signal } from "../generated/bindings/Signal";

/** A value on the screen, and since when (local ms). */
export type Shown = { signal: Signal; since_ms: number };

/** Screens show centimetres; what jitters by less stands still. */
const STILL_M = 0.002;
/** Of a quaternion's components: about a quarter of a degree. */
const STILL_TURN = 0.002;

/** True if nobody could tell the two apart, but for their age. */
export function meansTheSame(shown: Signal, newest: Signal): boolean {
  return (
    sameValue(shown.value, newest.value) &&
    shown.unit === newest.unit &&
    shown.confidence === newest.confidence &&
    shown.origin === newest.origin &&
    shown.simulated === newest.simulated &&
    shown.age_basis === newest.age_basis &&
    shown.source === newest.source &&
    shown.source_lost === newest.source_lost &&
    shown.max_age_ms === newest.max_age_ms
  );
}

function sameValue(shown: Signal["value"], newest: Signal["value"]): boolean {
  if (typeof shown !== "object" || typeof newest !== "object") return Object.is(shown, newest);
  return samePose(shown, newest);
}

/** True if a robot stands still between two poses, as far as a screen can show. */
export function samePose(a: PoseValue, b: PoseValue): boolean {
  return (
    a.frame === b.frame &&
    near(a.position_m, b.position_m, STILL_M) &&
    near(a.orientation ?? [], b.orientation ?? [], STILL_TURN)
  );
}

function near(a: readonly number[], b: readonly number[], within: number): boolean {
  return (
    a.length === b.length &&
    a.every((value, place) => Object.is(value, b[place]) || Math.abs(value - (b[place] ?? Number.NaN)) < within)
  );
}
