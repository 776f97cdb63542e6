import type { Query } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { ContextRow } from "../../generated/bindings/ContextRow";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { Providers } from "./Providers";

const ROW: ContextRow = {
  id: "cp-1",
  version: 3,
  state: "running",
  config: { topic_pattern: "lab/oven-1/out/state", world_state_key_template: "oven.smoke", value_field: "smoke" },
  keys: 1,
  rate_hz: 1,
  bytes_per_s: 34,
  last_sample_age_ms: null,
  samples: 0,
  rows: 0,
  rows_cut: 0,
  matched: 0,
  rejects: {},
  keys_replaced: 0,
  missing: 0,
  trouble: null,
  warnings: [],
};

function show(provider: string) {
  let away = false;
  const list_contexts = () => {
    if (away) throw new HostError("no_answer", "The station did not answer in time.");
    return [ROW];
  };
  const test_context = { samples: 0, rows: 0, matched: 0, rejects: {}, writes: [], first_failing_clause: null };
  const station = fakeStation(
    {
      list_contexts,
      list_topics: [],
      list_missions: [],
      watch_topic: [],
      test_context: { ...test_context, period_ms: null, suggested_max_age_secs: null, warnings: [] },
    },
    { role: "admin" },
  );
  const view = renderWith(station, <Providers provider={provider} topic={null} />);
  return { ...view, leave: () => void (away = true) };
}

const failed = ({ queryKey, state }: Query) => queryKey[1] === "list_contexts" && state.status === "error";
const template = () => screen.findByTestId<HTMLInputElement>("provider-world_state_key_template");

describe("the form of a provider", () => {
  it("keeps what was written while the list cannot be read", async () => {
    const { leave, queries } = show("cp-1");
    fireEvent.change(await template(), { target: { value: "oven.fumes" } });
    leave();
    await act(() => queries.refetchQueries({ predicate: ({ queryKey }) => queryKey[1] === "list_contexts" }));
    await waitFor(() => expect(queries.getQueryCache().findAll({ predicate: failed })).toHaveLength(1));
    expect((await template()).value).toBe("oven.fumes");
  });

  it("of one that is gone is not an empty one", async () => {
    show("cp-2");
    expect(await screen.findByText("This provider has been removed in the meantime.")).toBeTruthy();
    expect(screen.queryByTestId("provider-submit")).toBeNull();
  });
});

it("the age of the newest sample is the station's, whatever this desk's clock says", async () => {
  const clock = vi.spyOn(Date, "now").mockReturnValue(0);
  const station = fakeStation({ list_contexts: [{ ...ROW, last_sample_age_ms: 42_000 }] }, { role: "admin" });
  renderWith(station, <Providers provider={null} topic={null} />);
  expect((await screen.findByTestId("provider-cp-1")).textContent).toContain("42 s");
  clock.mockRestore();
});
