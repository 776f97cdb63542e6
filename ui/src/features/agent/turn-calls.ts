// Which call of a model found the words of a row, and what its turn has cost. The transcript does not say; the ledger does.

import type { ModelName } from "../../bindings/ModelName";
import type { ModelCallRow } from "../../host/agent-wire";

/** A reply that is later than its newest known call waits for the ledger: it is not the answer of an earlier turn. */
const WRITTEN_WITHIN_MS = 2_000;

/** What stands under a reply. */
export type Answered = { turn: string; model: ModelName; cost_microusd: number | null };

/** Tells what found the words that were written down at a time. */
export type Answers = (at_ms: number) => Answered | null;

/** A reply is written down as soon as its call has ended, and one turn runs at a time: it is the newest call that began before. */
export function answersOf(session: string, calls: readonly ModelCallRow[]): Answers {
  const newest = calls.filter((call) => call.session === session && call.purpose === "main").toSorted((a, b) => b.began_ms - a.began_ms);
  const costs = new Map<string | null, number | null>();
  for (const call of calls) costs.set(call.turn, costOf([call, { cost_microusd: costs.has(call.turn) ? (costs.get(call.turn) ?? null) : 0 }]));
  return (at_ms) => {
    const call = newest.find(({ began_ms }) => began_ms <= at_ms);
    if (call === undefined || call.turn === null) return null;
    if (call.ended_ms !== null && at_ms - call.ended_ms > WRITTEN_WITHIN_MS) return null;
    return { turn: call.turn, model: modelOf(call), cost_microusd: costs.get(call.turn) ?? null };
  };
}

/** The interpreter is no provider's. */
export function modelOf({ provider, model }: Pick<ModelCallRow, "provider" | "model">): ModelName {
  return { name: model, kind: provider === "" ? "interpreter" : "language" };
}

/** What calls have cost together; unknown if that of one is (K-01). */
export function costOf(calls: readonly Pick<ModelCallRow, "cost_microusd">[]): number | null {
  return calls.reduce<number | null>((sum, { cost_microusd }) => (sum === null || cost_microusd === null ? null : sum + cost_microusd), 0);
}
