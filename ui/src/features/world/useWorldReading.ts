// The newest value of a world key: pushed if the station pushes it, else the row that was asked for.

import type { WorldRow } from "../../generated/bindings/WorldRow";
import type { LiveStore } from "../../host/live-store";
import { ageMs, type Freshness, freshness, isCurrent } from "../../design/format/freshness";
import { shownAge } from "../../design/format/shown-age";
import { useLive } from "../../domain/station/useLive";

/** The reading that one row of the table shows. `age_ms` is that of a lost value, in whole seconds. */
export type WorldReading = {
  value: WorldRow["value"];
  confidence: number | null;
  state: Freshness;
  age: string;
  age_ms: number | null;
};

/** Ages go on counting between frames; a row that is not pushed counts from when it was asked for. */
export function useWorldReading(row: WorldRow, asked_ms: number): WorldReading {
  const id = row.signal;
  const signal = useLive((store) => store.shown(id));
  const state = useLive((store) => freshnessOf(store, row));
  const age = useLive((store) => shownAge(state, ageOf(store, row, asked_ms), store.signal(id)?.max_age_ms ?? null));
  const lost_for_ms = useLive((store) => (state === "lost" ? wholeSeconds(ageOf(store, row, asked_ms)) : null));
  const pushed = signal && typeof signal.value !== "object" ? signal : null;
  return {
    value: pushed ? scalar(pushed.value, row.value) : row.value,
    confidence: pushed ? pushed.confidence : row.confidence,
    state,
    age,
    age_ms: lost_for_ms,
  };
}

/** Current freshness of a row. */
export function freshnessOf(store: LiveStore, row: WorldRow): Freshness {
  const signal = store.signal(row.signal);
  return signal ? freshness(signal, store.time.now_ms, store.time.lost) : freshnessNow(store, row.freshness);
}

/** Freshness now of what was `answered` with one: nothing is current that a silent station said. */
export function freshnessNow({ time }: LiveStore, answered: Freshness): Freshness {
  return time.lost && isCurrent(answered) ? "stale" : answered;
}

/** Current age of a row that was asked for at local time `asked_ms`. */
export function ageOf(store: LiveStore, row: WorldRow, asked_ms: number): number | null {
  const { now_ms, local_ms } = store.time;
  const signal = store.signal(row.signal);
  if (signal && now_ms !== null) return ageMs(signal.observed_mono_ms, now_ms);
  return row.age_ms === null ? null : row.age_ms + ageMs(asked_ms, local_ms);
}

/** An age to the second below. */
export function wholeSeconds(age_ms: number | null): number | null {
  return age_ms === null ? null : Math.floor(age_ms / 1_000) * 1_000;
}

function scalar(value: unknown, otherwise: WorldRow["value"]): WorldRow["value"] {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "string" ? value : otherwise;
}
