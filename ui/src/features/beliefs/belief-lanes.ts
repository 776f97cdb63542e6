// Held values over time, and the others that were claimed: one lane per value.

import type { BeliefHistoryRow } from "../../generated/bindings/BeliefHistoryRow";
import type { Span } from "./belief-curve";

/** `held` are the times it was what the station believed; `claims` when something said it while another was held. */
export type Lane = { value: string; held: readonly Span[]; claims: readonly number[] };

type Growing = { value: string; held: Span[]; claims: number[] };

/** Lanes by how recently their value came up, newest first; the value held last is held until `now`. */
export function lanesOf(rows: readonly BeliefHistoryRow[], now: number): Lane[] {
  const lanes = new Map<string, Growing>();
  let held: Span | null = null;
  let heldValue: string | null = null;
  for (const row of rows) {
    const lane = lanes.get(row.value) ?? { value: row.value, held: [], claims: [] };
    // A map keeps the order of insertion: whoever came up last stands last.
    lanes.delete(row.value);
    lanes.set(row.value, lane);
    if (row.kind === "contradicted") {
      lane.claims.push(row.at);
      continue;
    }
    if (row.value === heldValue) continue;
    if (held) held.to = row.at;
    held = { from: row.at, to: now };
    heldValue = row.value;
    lane.held.push(held);
  }
  return [...lanes.values()].toReversed();
}
