// Freshness of a value by its age: the one function behind every mark of age on screen (U-501).

/** Freshness of a value, from current to never received. */
export type Freshness = "live" | "aging" | "stale" | "lost" | "never";

/** The part of a signal its age depends on. */
export type Dated = { observed_mono_ms: number; max_age_ms: number; source_lost: boolean };

/** Up to this share of its maximum age a value is shown plainly. */
export const AGING_SHARE = 0.7;
/** From this many maximum ages on, the value itself is no longer shown. */
const LOST_SHARE = 5;

/** Age in ms of something observed at `observed_mono_ms`; a clock that stepped back gives 0, never a negative age. */
export function ageMs(observed_mono_ms: number, station_now_ms: number): number {
  const age_ms = station_now_ms - observed_mono_ms;
  return age_ms < 0 ? 0 : age_ms;
}

/**
 * The state of a value at a station time (`world-and-memory.md` WS-07). Anything that is not a number is stale: a value
 * whose age nobody knows must not look current. `station_lost` means that no frame comes any more.
 */
export function freshness(value: Dated | undefined, station_now_ms: number | null, station_lost: boolean): Freshness {
  if (!value || station_now_ms === null) return "never";
  if (value.source_lost) return "lost";
  const age_ms = ageMs(value.observed_mono_ms, station_now_ms);
  const by_age = freshnessOfAge(age_ms, value.max_age_ms);
  if (station_lost && (by_age === "live" || by_age === "aging")) return "stale";
  return by_age;
}

function freshnessOfAge(age_ms: number, max_age_ms: number): Freshness {
  if (!Number.isFinite(age_ms) || !Number.isFinite(max_age_ms)) return "stale";
  if (age_ms <= AGING_SHARE * max_age_ms) return "live";
  if (age_ms <= max_age_ms) return "aging";
  if (age_ms <= LOST_SHARE * max_age_ms) return "stale";
  return "lost";
}

/** True if a decision may rest on a value of this freshness. */
export function isCurrent(state: Freshness): boolean {
  switch (state) {
    case "live":
    case "aging":
      return true;
    case "stale":
    case "lost":
    case "never":
      return false;
  }
}
