// Causes of a robot's state, in the order in which an operator has to deal with them.

import type { CauseRow } from "../../generated/bindings/CauseRow";
import type { Clears } from "../../generated/bindings/Clears";

/** Order of causes by the effort to end them; 0 takes the most. */
const EFFORT: Record<Clears, number> = {
  never: 0,
  on_disarm: 1,
  on_acknowledge: 2,
  on_release: 3,
  when_condition_clears: 4,
};

/** Causes in order: hardest to end first, and of equals the oldest first. */
export function hardestFirst(causes: readonly CauseRow[]): CauseRow[] {
  return causes.toSorted((a, b) => EFFORT[a.clears] - EFFORT[b.clears] || a.since_mono_ms - b.since_mono_ms);
}
