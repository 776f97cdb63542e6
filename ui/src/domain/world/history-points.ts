// The history of a key as points of a chart.

import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import type { SeriesPoint } from "../../host/series";
import type { Point } from "../../design/chart/series";

/** A stretch of time in which a value was stale or lost, milliseconds. */
export type OldStretch = { from_ms: number; to_ms: number };

/**
 * Stored and pushed changes of the value as one line; times are negative ages, so that the two clocks need not agree.
 */
export function recentPoints(
  stored: readonly WorldPoint[],
  pushed: readonly SeriesPoint[],
  now_mono_ms: number,
  now_wall_ms: number,
): Point[] {
  const live = pushed.map(({ observed_mono_ms, value }) => ({ at_ms: observed_mono_ms - now_mono_ms, value }));
  const first_ms = live[0]?.at_ms ?? 0;
  const kept = valuePoints(stored).map(({ at_ms, value }) => ({ at_ms: at_ms - now_wall_ms, value }));
  const line = [...kept.filter(({ at_ms }) => at_ms < first_ms), ...live];
  // A change that was stored may have been pushed as well, and the same value is no step.
  return line.filter(({ value }, place) => place === 0 || line[place - 1]?.value !== value);
}

/** The values of a history, oldest first, at the times they were observed. */
export function valuePoints(history: readonly WorldPoint[]): Point[] {
  return history
    .flatMap(({ kind, value, observed_ms }) =>
      kind === "value" && value !== null ? [{ at_ms: observed_ms, value }] : [],
    )
    .toSorted((a, b) => a.at_ms - b.at_ms);
}

/** The stretches in which the value was stale or lost. */
export function oldStretches(history: readonly WorldPoint[], to_ms: number): OldStretch[] {
  const stretches: OldStretch[] = [];
  let since_ms: number | null = null;
  for (const point of history.toSorted((a, b) => a.received_ms - b.received_ms)) {
    const is_old = point.kind === "freshness" && (point.value === "stale" || point.value === "lost");
    const is_current = point.kind === "value" || (point.kind === "freshness" && !is_old);
    if (is_old) since_ms ??= point.received_ms;
    else if (is_current && since_ms !== null) {
      stretches.push({ from_ms: since_ms, to_ms: point.received_ms });
      since_ms = null;
    }
  }
  if (since_ms !== null) stretches.push({ from_ms: since_ms, to_ms });
  return stretches;
}
