// The dock of an agent over a station that tells what happens in it.

import type { QueryClient } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import type { EntryLine } from "../../../generated/bindings/EntryLine";
import type { Event as TurnEvent } from "../../../generated/bindings/Event";
import { frame } from "../../../testing/fixtures";
import { type FakeStation, fakeStation, renderWith } from "../../../testing/station";
import { AgentDock } from "../AgentDock";

/** The model that answers. */
export const LANGUAGE = { name: "small", kind: "language" } as const;

/** A stored entry of the operator, with what is different in it. */
export function entry(id: number, change: Partial<EntryLine>): EntryLine {
  return {
    id,
    epoch: 0,
    at_ms: 1_000 + id,
    kind: "user",
    role: "user",
    origin: "operator(dana)",
    trust: "trusted",
    content: "",
    ...change,
  };
}

/** `happen` delivers events of the turn `t-1`, a moment apart; `queries` outdates rows. */
export type ShownDock = { station: FakeStation; queries: QueryClient; happen: (...events: TurnEvent[]) => void };

/** The dock on screen, with these entries in its conversation. */
export async function show(
  entries: readonly EntryLine[] = [],
  { session = {}, answers = {} }: { session?: object; answers?: Record<string, unknown> } = {},
): Promise<ShownDock> {
  const station = fakeStation(
    {
      list_agents: [],
      list_missions: [],
      list_proposals: [],
      get_transcript: { session: "s-1", entries, running: null },
      add_budget: {},
      set_mode: {},
      ...answers,
    },
    session,
  );
  const { queries } = renderWith(station, <AgentDock />);
  await screen.findByTestId("composer");
  let at_ms = 0;
  const happen = (...events: TurnEvent[]) => {
    at_ms += 100;
    const facts = events.map((event) => ({ kind: "turn", agent: "main", session: "s-1", turn: "t-1", event }) as never);
    act(() => station.store.applyFrame(frame({ mono_ms: 10_000 + at_ms, facts }), performance.now()));
  };
  return { station, queries, happen };
}
