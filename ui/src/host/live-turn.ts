// The agent's turn while it runs, folded from its events; the stored transcript replaces it afterwards.

import type { TurnEvent } from "../bindings/TurnEvent";

/** A tool call of the running turn. */
export type LiveCall = { call: string; name: string; state: "running" | "asked" | "ok" | "failed" };

/** The newest turn as far as its events told. */
export type LiveTurn = { turn: string; text: string; calls: readonly LiveCall[]; ended: boolean };

/** Events that this version does not know change nothing. */
export function foldTurn(before: LiveTurn | null, turn: string, event: TurnEvent): LiveTurn {
  const now = before?.turn === turn ? before : { turn, text: "", calls: [], ended: false };
  switch (event.event) {
    case "text_delta":
      return { ...now, text: now.text + event.text };
    case "delivered":
      return { ...now, text: event.text };
    case "call_started":
      return { ...now, calls: withCall(now.calls, { call: event.call, name: event.name, state: "running" }) };
    case "asked":
      return { ...now, calls: withState(now.calls, event.call, "asked") };
    case "call_ended":
      return { ...now, calls: withState(now.calls, event.call, event.ok ? "ok" : "failed") };
    case "turn_ended":
      return { ...now, ended: true };
    case "turn_started":
      return now;
    default:
      return now;
  }
}

function withCall(calls: readonly LiveCall[], call: LiveCall): readonly LiveCall[] {
  return [...calls.filter((other) => other.call !== call.call), call];
}

function withState(calls: readonly LiveCall[], call: string, state: LiveCall["state"]): readonly LiveCall[] {
  return calls.map((other) => (other.call === call ? { ...other, state } : other));
}
