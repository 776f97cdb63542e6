// Which call of a model found the words of a row, and what its turn has cost. The transcript does not say; the ledger does.

import type { ModelName } from "../../bindings/ModelName";
import type { ModelCallRow } from "../../host/agent-wire";

/** What stands under a reply. */
export type Answered = { turn: string; model: ModelName; cost_microusd: number | null };

/** A reply is written down as soon as its call has ended, and one turn runs at a time: it is the newest call that began before. */
export function answeredBy(at_ms: number, session: string, calls: readonly ModelCallRow[]): Answered | null {
  const before = calls.filter((call) => call.session === session && call.purpose === "main" && call.began_ms <= at_ms);
  const newest = before.toSorted((a, b) => b.began_ms - a.began_ms)[0];
  if (newest === undefined || newest.turn === null) return null;
  return { turn: newest.turn, model: modelOf(newest), cost_microusd: costOf(calls.filter(({ turn }) => turn === newest.turn)) };
}

/** The interpreter is no provider's. */
export function modelOf({ provider, model }: Pick<ModelCallRow, "provider" | "model">): ModelName {
  return { name: model, kind: provider === "" ? "interpreter" : "language" };
}

/** What calls have cost together; unknown if that of one is (K-01). */
export function costOf(calls: readonly Pick<ModelCallRow, "cost_microusd">[]): number | null {
  return calls.reduce<number | null>((sum, { cost_microusd }) => (sum === null || cost_microusd === null ? null : sum + cost_microusd), 0);
}
