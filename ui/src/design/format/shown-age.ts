// The age of a value as a screen shows it: a live value is known to be younger than a bound, and only what grows old
// counts.

import { formatAge } from "./time";
import { AGING_SHARE, type Freshness, isCurrent } from "./freshness";

/** Ages from here on are written in minutes: nobody reads their seconds. */
const COARSE_MS = 60_000;
/** Bounds that a younger age is said to be below: whatever comes once a second stays below the first. */
const BOUNDS_MS: readonly number[] = [2_000, 5_000, 10_000, 20_000, COARSE_MS];
/** Ages count in steps of this: twice a second is as fast as anybody reads. */
const STEP_MS = 500;
/** From here on an age is written in whole seconds. */
const TENTHS_UP_TO_MS = 9_950;
/** Below a second half a second is too coarse. */
const FINE_MS = 100;

/**
 * "< 0.7 s" for a live value that is stale after 1 s, "< 5 s" for a younger one of a slow source; "0.8 s", "34 s" for
 * one that is not live any more.
 */
export function shownAge(state: Freshness, age_ms: number | null, max_age_ms: number | null): string {
  if (age_ms === null || !Number.isFinite(age_ms)) return formatAge(null);
  if (state !== "live" || max_age_ms === null || !Number.isFinite(max_age_ms)) return formatAge(stepped(age_ms));
  const bound_ms = Math.min(
    AGING_SHARE * max_age_ms,
    BOUNDS_MS.find((bound) => age_ms < bound) ?? Number.POSITIVE_INFINITY,
  );
  return age_ms < COARSE_MS
    ? `< ${formatAge(roundedUp(bound_ms))}`
    : formatAge(Math.floor(age_ms / COARSE_MS) * COARSE_MS);
}

/** The age of a current value is not worth a word; that of another is. */
export function ageUnlessCurrent(state: Freshness, age_ms: number | null): string {
  return isCurrent(state) || age_ms === null ? "" : formatAge(stepped(age_ms));
}

/** To what its text can show: a bound that is rounded down would be none. */
function roundedUp(bound_ms: number): number {
  const tenths_ms = Math.ceil(bound_ms / FINE_MS) * FINE_MS;
  return tenths_ms < TENTHS_UP_TO_MS ? tenths_ms : Math.ceil(bound_ms / 1_000) * 1_000;
}

function stepped(age_ms: number): number {
  const step_ms = age_ms < 1_000 ? FINE_MS : STEP_MS;
  return Math.floor(age_ms / step_ms) * step_ms;
}
