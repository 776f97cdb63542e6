// The agent's turn while it runs, folded from its events; the stored transcript replaces it afterwards.

import type { Event as TurnEvent } from "../bindings/Event";

/** A tool call of the running turn. */
export type LiveCall = { call: string; name: string; state: "running" | "asked" | "ok" | "failed" };

/** The newest turn as far as its events told. */
export type LiveTurn = { turn: string; text: string; calls: readonly LiveCall[]; ended: boolean };

/** Events that change nothing the dock shows are passed over, those of a newer station too. */
export function foldTurn(before: LiveTurn | null, turn: string, event: TurnEvent): LiveTurn {
  const now = before?.turn === turn ? before : { turn, text: "", calls: [], ended: false };
  if ("delivered" in event) return { ...now, text: event.delivered.text };
  if ("model_failed" in event) return { ...now, text: event.model_failed.reason };
  if ("call_started" in event) return withCall(now, event.call_started, "running");
  if ("asked" in event) return withCall(now, event.asked, "asked");
  if ("call_ended" in event) return withCall(now, event.call_ended, event.call_ended.is_error ? "failed" : "ok");
  if ("turn_ended" in event) return { ...now, ended: true };
  return now;
}

function withCall(turn: LiveTurn, { call, name }: { call: string; name: string }, state: LiveCall["state"]): LiveTurn {
  const known = turn.calls.some((other) => other.call === call);
  const calls = known
    ? turn.calls.map((other) => (other.call === call ? { ...other, state } : other))
    : [...turn.calls, { call, name, state }];
  return { ...turn, calls };
}
