// The newest value of a world key: pushed if the station pushes it, else the row that was asked for.

import type { WorldRow } from "../../bindings/WorldRow";
import { formatAge } from "../../shared/format/time";
import { ageMs, type Freshness, freshness } from "../../shared/freshness/freshness";
import { useLive } from "../../shared/hooks/useLive";

/** What one row of the table shows. `age_ms` is rounded to what its text can show. */
export type WorldReading = { value: WorldRow["value"]; confidence: number | null; state: Freshness; age: string; age_ms: number };

/** Ages go on counting between frames; a row that is not pushed counts from when it was asked for. */
export function useWorldReading(row: WorldRow, asked_ms: number): WorldReading {
  const id = row.signal;
  const signal = useLive((store) => store.signal(id));
  const state = useLive((store) => {
    if (signal) return freshness(signal, store.time.now_ms, store.time.lost);
    return store.time.lost && row.freshness !== "lost" && row.freshness !== "never" ? "stale" : row.freshness;
  });
  const age_ms = useLive((store) => {
    const { now_ms, local_ms } = store.time;
    const exact_ms = signal && now_ms !== null ? ageMs(signal.observed_mono_ms, now_ms) : (row.age_ms ?? 0) + ageMs(asked_ms, local_ms);
    return Math.floor(exact_ms / 100) * 100;
  });
  const pushed = signal && typeof signal.value !== "object" ? signal : null;
  return {
    value: pushed ? scalar(pushed.value, row.value) : row.value,
    confidence: pushed ? pushed.confidence : row.confidence,
    state,
    age: formatAge(age_ms),
    age_ms,
  };
}

function scalar(value: unknown, otherwise: WorldRow["value"]): WorldRow["value"] {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "string" ? value : otherwise;
}
