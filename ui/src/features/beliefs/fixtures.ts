// Beliefs for tests: whole and valid.

import type { BeliefHistory } from "../../generated/bindings/BeliefHistory";
import type { BeliefHistoryRow } from "../../generated/bindings/BeliefHistoryRow";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";

/** A belief that was made at 1,000 s and not touched since. */
export function beliefRow(change: Partial<BeliefRow> = {}): BeliefRow {
  return {
    id: "belief-1",
    subject: "door",
    predicate: "is_open",
    value: "true",
    confidence: 0.8,
    source: null,
    first_observed: 1_000,
    last_confirmed: 1_000,
    confirmation_count: 1,
    contradiction_count: 0,
    notes: null,
    kind: "boolean",
    kind_params: null,
    half_life_secs: 100,
    pinned_until: null,
    observes: null,
    state: "held",
    challenged_at: null,
    trust: "trusted",
    confirmed_by: "sensor",
    ...change,
  };
}

/** A row of its history. */
export function historyRow(
  at: number,
  confidence_after: number,
  change: Partial<BeliefHistoryRow> = {},
): BeliefHistoryRow {
  return {
    at,
    kind: "confirmed",
    value: "true",
    confidence_before: null,
    confidence_after,
    by: "door.is_open",
    evidence: null,
    ...change,
  };
}

/** A history of these rows. */
export function beliefHistory(rows: BeliefHistoryRow[], change: Partial<BeliefHistory> = {}): BeliefHistory {
  return {
    belief: beliefRow(),
    rows,
    left_out: 0,
    half_life_secs: 100,
    pins: [],
    confidence_from: null,
    confidence_now: 0.8,
    below_05_at: null,
    below_02_at: null,
    ...change,
  };
}
