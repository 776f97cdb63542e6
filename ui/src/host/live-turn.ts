// The agent's turn while it runs, folded from its events; the stored transcript replaces it afterwards.

import type { Effect } from "../generated/bindings/Effect";
import type { Event as TurnEvent } from "../generated/bindings/Event";
import type { MeterName } from "../generated/bindings/MeterName";
import type { ModelName } from "../generated/bindings/ModelName";
import type { Outcome } from "../generated/bindings/Outcome";

/** A tool call of the running turn. `began_ms` is this window's clock (`performance.now`). */
export type LiveCall = {
  call: string;
  name: string;
  args: unknown;
  effect: Effect;
  state: "running" | "asked" | "ok" | "failed";
  began_ms: number;
  duration_ms: number | null;
  progress: string;
};

/** The newest turn as far as its events told. */
export type LiveTurn = {
  turn: string;
  session: string;
  model: ModelName | null;
  /** Text that the model is writing now. */
  text: string;
  thinking: string;
  /** Texts it wrote before the calls of this turn, oldest first. */
  said: readonly string[];
  calls: readonly LiveCall[];
  /** The entry that holds the answer, once it is stored. */
  delivered: number | null;
  warning: { meter: MeterName; used: number; limit: number } | null;
  /** Reason that the reply begins anew; null unless it does. */
  restart: string | null;
  outcome: Outcome | null;
  ended: boolean;
};

/** More of a reply is not kept while it streams; the stored one is whole. */
const TEXT_CHARS_MAX = 200_000;

/**
 * Folds one event that arrived at local time `local_ms`. What the dock does not show is passed over, what a newer
 * station adds too.
 */
export function foldTurn(
  before: LiveTurn | null,
  { session, turn }: { session: string; turn: string },
  event: TurnEvent,
  local_ms: number,
): LiveTurn {
  const now = before?.turn === turn ? before : begun(session, turn);
  // A turn that a budget paused goes on under its name: its end before was none.
  if ("turn_started" in event) return { ...(now.ended ? begun(session, turn) : now), model: event.turn_started.model };
  if ("text_delta" in event) return { ...now, restart: null, text: longer(now.text, event.text_delta.text) };
  if ("thinking_delta" in event)
    return { ...now, restart: null, thinking: longer(now.thinking, event.thinking_delta.text) };
  if ("restart" in event) return { ...now, text: "", thinking: "", restart: event.restart.reason };
  if ("call_started" in event) return withCall(spoken(now), event.call_started, "running", local_ms);
  if ("asked" in event) return withCall(spoken(now), event.asked, "asked", local_ms);
  if ("call_progress" in event)
    return changedCall(now, event.call_progress.call, { progress: event.call_progress.text });
  if ("call_ended" in event) {
    const { call, is_error, duration_ms } = event.call_ended;
    return changedCall(now, call, { state: is_error ? "failed" : "ok", duration_ms });
  }
  if ("warn" in event) return { ...now, warning: event.warn };
  if ("delivered" in event)
    return {
      ...now,
      restart: null,
      text: event.delivered.text,
      model: event.delivered.model,
      delivered: event.delivered.entry,
    };
  if ("model_failed" in event) return { ...now, restart: null, text: event.model_failed.reason };
  if ("turn_ended" in event) return { ...now, ended: true, outcome: event.turn_ended.outcome };
  return now;
}

function begun(session: string, turn: string): LiveTurn {
  return {
    turn,
    session,
    model: null,
    text: "",
    thinking: "",
    said: [],
    calls: [],
    delivered: null,
    warning: null,
    restart: null,
    outcome: null,
    ended: false,
  };
}

function longer(text: string, piece: string): string {
  return text.length >= TEXT_CHARS_MAX ? text : text + piece;
}

/** Words before a call are an entry of their own by the time the call is told. */
function spoken(turn: LiveTurn): LiveTurn {
  return turn.text === "" ? turn : { ...turn, text: "", thinking: "", said: [...turn.said, turn.text] };
}

function withCall(
  turn: LiveTurn,
  { call, name, args, effect }: { call: string; name: string; args: unknown; effect: Effect },
  state: "running" | "asked",
  local_ms: number,
): LiveTurn {
  // A call that was asked about is told once more when it begins: it is one row, and its time starts anew.
  if (turn.calls.some((other) => other.call === call)) return changedCall(turn, call, { state, began_ms: local_ms });
  return {
    ...turn,
    calls: [...turn.calls, { call, name, args, effect, state, began_ms: local_ms, duration_ms: null, progress: "" }],
  };
}

function changedCall(turn: LiveTurn, call: string, change: Partial<LiveCall>): LiveTurn {
  return { ...turn, calls: turn.calls.map((other) => (other.call === call ? { ...other, ...change } : other)) };
}
