// The newest value of a world key: pushed if the station pushes it, else the row that was asked for.

import type { WorldRow } from "../../bindings/WorldRow";
import type { LiveStore } from "../../host/live-store";
import { formatAge } from "../../shared/format/time";
import { ageMs, type Freshness, freshness } from "../../shared/freshness/freshness";
import { useLive } from "../../shared/hooks/useLive";

/** What one row of the table shows. `age_ms` is rounded to what its text can show. */
export type WorldReading = { value: WorldRow["value"]; confidence: number | null; state: Freshness; age: string; age_ms: number | null };

/** Ages go on counting between frames; a row that is not pushed counts from when it was asked for. */
export function useWorldReading(row: WorldRow, asked_ms: number): WorldReading {
  const id = row.signal;
  const signal = useLive((store) => store.signal(id));
  const state = useLive((store) => freshnessOf(store, row));
  const age_ms = useLive((store) => {
    const { now_ms, local_ms } = store.time;
    if (signal && now_ms !== null) return tenths(ageMs(signal.observed_mono_ms, now_ms));
    return row.age_ms === null ? null : tenths(row.age_ms + ageMs(asked_ms, local_ms));
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

/** How current a row is now. */
export function freshnessOf(store: LiveStore, row: WorldRow): Freshness {
  const signal = store.signal(row.signal);
  if (signal) return freshness(signal, store.time.now_ms, store.time.lost);
  return store.time.lost && row.freshness !== "lost" && row.freshness !== "never" ? "stale" : row.freshness;
}

function tenths(age_ms: number): number {
  return Math.floor(age_ms / 100) * 100;
}

function scalar(value: unknown, otherwise: WorldRow["value"]): WorldRow["value"] {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "string" ? value : otherwise;
}
