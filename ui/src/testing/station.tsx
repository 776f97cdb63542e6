// A station for component tests: answers from a table, and a live store under the test's hand.

import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import type { SessionInfo } from "../generated/bindings/SessionInfo";
import { type Host, HostError } from "../host/host";
import { LiveStore } from "../host/live-store";
import { createQueryClient } from "../host/query";
import { StationContext } from "../domain/station/station-context";
import { frame } from "./fixtures";

const SESSION: SessionInfo = {
  actor: "dana",
  role: "operator",
  admin_until_mono_ms: null,
  locked: false,
  session_id: "app-window",
  kind: "person",
  station: "lab",
  public_key: "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  mode: "sim",
  version: "0.1.0",
  simulator: "running",
  zenoh_endpoints: [],
  agent: "main",
  session: "s-1",
  model: { name: "quarterdeck-commands", kind: "interpreter" },
  agent_mode: "ask",
  audit_signing: {
    signed: true,
    public_key: "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    unsigned_because: null,
    unsigned_kind: null,
  },
  stop_shortcut: "registered",
  has_token: false,
  has_admin_pin: false,
};

/** A call that a fake station received. */
export type Asked = { name: string; input: unknown };

export type FakeStation = { host: Host; store: LiveStore; asked: Asked[] };

/** A connected station with somebody signed in. `answers` maps operations to what they return; a function may throw. */
export function fakeStation(answers: Record<string, unknown> = {}, session: Partial<SessionInfo> = {}): FakeStation {
  const asked: Asked[] = [];
  const host: Host = {
    call: async <Output,>(name: string, input: unknown) => {
      asked.push({ name, input });
      // A call that a test does not expect fails as it would at an older station, and not as a missing answer.
      if (!(name in answers)) throw new HostError("unknown_operation", `no answer for ${name}`);
      const answer = answers[name];
      return (typeof answer === "function" ? answer(input) : answer) as Output;
    },
    subscribe: () => () => undefined,
  };
  const store = new LiveStore();
  store.setConnected(true);
  store.applySession({ ...SESSION, ...session });
  store.applyFrame(frame(), performance.now());
  return { host, store, asked };
}

/** A busy computer loads a part of the page in this, ms. */
const SETTLED_MS = 20_000;

/**
 * Renders under a station; `queries` outdates rows as the station's tags do, `settled` waits until every call is
 * answered, every part of the page is loaded, and all is drawn.
 */
export function renderWith(station: FakeStation, children: ReactNode) {
  const queries = createQueryClient();
  const view = render(
    <StationContext value={station}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </StationContext>,
  );
  const underWay = () => {
    if (queries.isFetching() + queries.isMutating() > 0) return "calls are under way";
    // Parts in dialogs are outside the container.
    return document.querySelector("[aria-busy=true]") === null ? null : "a part of the page is on its way";
  };
  const settled = async () => {
    do {
      await waitFor(
        () => {
          const open = underWay();
          if (open !== null) throw new Error(open);
        },
        { timeout: SETTLED_MS },
      );
      // An answer is drawn in a later task; what it shows may ask or load in turn.
      await act(async () => void (await new Promise((done) => setTimeout(done, 0))));
    } while (underWay() !== null);
  };
  return { ...view, queries, settled };
}
