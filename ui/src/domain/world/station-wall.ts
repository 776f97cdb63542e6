// The station's time of day, as rows of its world tell it: stored points carry that time, and a desk's own clock may be
// minutes away from it.

import type { WorldRow } from "../../generated/bindings/WorldRow";
import { ageMs } from "../../design/format/freshness";
import type { LiveStore } from "../../host/live-store";
import { useLive } from "../station/useLive";
import type { Stamped } from "../station/useRows";

/** Times of rows are whole seconds, rounded down. */
const ROUNDED_MS = 1_000;

type Told = Pick<WorldRow, "updated_at" | "age_ms">;

/** The station's time, Unix milliseconds, when it answered with these rows; null if none of them was ever observed. */
export function wallOf(rows: readonly Told[]): number | null {
  let wall_ms: number | null = null;
  for (const { updated_at, age_ms } of rows) {
    // An age counts from the moment of observation, so that together they are the moment of the answer.
    if (updated_at !== null && age_ms !== null) wall_ms = Math.max(wall_ms ?? 0, updated_at * 1_000 + age_ms);
  }
  // At the end of that second, so that a line which ends now never cuts off its newest point.
  return wall_ms === null ? null : wall_ms + ROUNDED_MS;
}

/** The station's time now, in whole steps; by this desk's clock while nothing tells of the station's. */
export function useStationWall(
  answer: Stamped<readonly Told[]> | undefined,
  step_ms: number,
  round: (steps: number) => number = Math.floor,
): number {
  const wall_ms = answer === undefined ? null : wallOf(answer.rows);
  return useLive((store) => round(nowOf(store, wall_ms, answer?.asked_ms ?? 0) / step_ms) * step_ms);
}

function nowOf({ time }: LiveStore, wall_ms: number | null, asked_ms: number): number {
  return wall_ms === null ? Date.now() : wall_ms + ageMs(asked_ms, time.local_ms);
}
