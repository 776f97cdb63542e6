// The model call that produced a row's words, and the cost of its turn: from the ledger.

import type { ModelName } from "../../generated/bindings/ModelName";
import type { ModelCallRow } from "../../generated/bindings/ModelCallRow";

/**
 * A line that names no turn and is later than its newest known call waits for the ledger: it is not the answer of an
 * earlier turn.
 */
const WRITTEN_WITHIN_MS = 2_000;

/** Facts under a reply; `cost_microusd` is the cost of its turn, millionths of a US dollar, null if unknown. */
export type Answered = { turn: string; model: ModelName; cost_microusd: number | null };

/** Words of the agent: when they were written down, and in which turn; null in a line from before lines said so. */
export type Written = { at_ms: number; turn: string | null };

/** Finds the call that produced a row's words; null while the ledger does not hold it. */
export type Answers = (written: Written) => Answered | null;

/**
 * A reply is written down as soon as its call has ended: it is the newest call of its turn that began before. Where the
 * line names no turn, one turn runs at a time, and it is the newest call of all.
 */
export function answersOf(session: string, calls: readonly ModelCallRow[]): Answers {
  const newest = calls
    .filter((call) => call.session === session && call.purpose === "main")
    .toSorted((a, b) => b.began_ms - a.began_ms);
  const costs = new Map<string | null, number | null>();
  for (const call of calls)
    costs.set(call.turn, costOf([call, { cost_microusd: costs.has(call.turn) ? (costs.get(call.turn) ?? null) : 0 }]));
  return ({ at_ms, turn }) => {
    const call = newest.find((one) => one.began_ms <= at_ms && (turn === null || one.turn === turn));
    if (call === undefined || call.turn === null) return null;
    if (turn === null && call.ended_ms !== null && at_ms - call.ended_ms > WRITTEN_WITHIN_MS) return null;
    return { turn: call.turn, model: modelOf(call), cost_microusd: costs.get(call.turn) ?? null };
  };
}

/** The interpreter is no provider's. */
export function modelOf({ provider, model }: Pick<ModelCallRow, "provider" | "model">): ModelName {
  return { name: model, kind: provider === "" ? "interpreter" : "language" };
}

/** Cost of all calls, millionths of a US dollar; null if that of one is unknown (K-01). */
export function costOf(calls: readonly Pick<ModelCallRow, "cost_microusd">[]): number | null {
  return calls.reduce<number | null>(
    (sum, { cost_microusd }) => (sum === null || cost_microusd === null ? null : sum + cost_microusd),
    0,
  );
}
