import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ContextRow } from "../../generated/bindings/ContextRow";
import type { ContextTested } from "../../generated/bindings/ContextTested";
import type { TopicRow } from "../../generated/bindings/TopicRow";
import { HostError } from "../../host/host";
import { type FakeStation, fakeStation, renderWith } from "../../testing/station";
import { ProviderForm } from "./ProviderForm";

const TOPIC: TopicRow = {
  key_expr: "lab/oven-1/out/state",
  samples: 60,
  rate_hz: 1,
  bytes_per_s: 34,
  age_ms: 300,
  encoding: "application/json",
  form: "json",
  bytes: 34,
  too_large: 0,
  looks_like: null,
  last: "{}",
  cut: false,
  fields: [{ path: "smoke", kind: "number", example: 0.02 }],
};
const TESTED: ContextTested = {
  samples: 60,
  rows: 60,
  matched: 60,
  rejects: {},
  writes: [{ key: "oven.smoke", value: 0.02, confidence: null, age_ms: 0, n: 60 }],
  first_failing_clause: null,
  period_ms: 1_000,
  suggested_max_age_secs: 3,
  warnings: [],
};
const ANSWER = { message: "Context cp-1 configured", id: "cp-1", version: 1, state: "running", warnings: [] };
const OPENED: ContextRow = {
  id: "cp-1",
  version: 3,
  state: "running",
  config: { topic_pattern: TOPIC.key_expr, world_state_key_template: "oven.smoke", value_field: "smoke" },
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

function show(answers: Record<string, unknown>, opened: ContextRow | null = null, rows: readonly ContextRow[] = []) {
  const station = fakeStation(
    {
      list_topics: [TOPIC],
      list_missions: [],
      test_context: TESTED,
      configure_context: ANSWER,
      update_context: ANSWER,
      ...answers,
    },
    { role: "admin" },
  );
  renderWith(
    station,
    <ProviderForm
      provider={opened?.id ?? "new"}
      opened={opened}
      rows={rows}
      topic={opened === null ? TOPIC.key_expr : null}
      onClose={() => undefined}
      onDone={() => undefined}
    />,
  );
  return station;
}

const inputOf = (station: ReturnType<typeof fakeStation>, name: string) =>
  station.asked.find((call) => call.name === name)?.input;
const save = () => act(async () => void fireEvent.click(screen.getByTestId("provider-submit")));
const write = (text: string) =>
  fireEvent.change(screen.getByTestId("provider-world_state_key_template"), { target: { value: text } });

describe("U-1106 a provider made of a sample", () => {
  it("is tried before it can be saved", async () => {
    const station = show({});
    fireEvent.click(await screen.findByLabelText("Use smoke as Value"));
    write("oven.smoke");
    expect(screen.getByTestId<HTMLButtonElement>("provider-submit").disabled).toBe(true);
    await waitFor(() =>
      expect(screen.getByTestId("provider-preview").textContent).toContain(
        "Matched: 60 of 60 rows in the last 60 samples",
      ),
    );
    fireEvent.click(screen.getByText("Use 3.0 s as the maximum age"));
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("provider-submit").disabled).toBe(false));
    await save();
    await waitFor(() =>
      expect(inputOf(station, "configure_context")).toMatchObject({
        agent: "main",
        topic_pattern: TOPIC.key_expr,
        world_state_key_template: "oven.smoke",
        value_field: "smoke",
        max_age_secs: 3,
      }),
    );
  });

  it("is saved although nothing matches only if somebody says so", async () => {
    const station = show({
      test_context: { ...TESTED, matched: 0, writes: [], rejects: { filtered: 60 }, first_failing_clause: "smoke > 1" },
    });
    fireEvent.click(await screen.findByLabelText("Use smoke as Value"));
    write("oven.smoke");
    await waitFor(() =>
      expect(screen.getByTestId("provider-preview").textContent).toContain("60 × kept out by the filter"),
    );
    await save();
    expect(inputOf(station, "configure_context")).toBeUndefined();
    fireEvent.click(screen.getByTestId("provider-anyway"));
    await save();
    await waitFor(() => expect(inputOf(station, "configure_context")).toBeDefined());
  });

  it("WS-40 shows a fault at its field and points at it", async () => {
    const refused = () => {
      throw new HostError(
        "bad_template",
        "world_state_key_template: column 6: expected a path",
        { path: "world_state_key_template", column: 6 },
        422,
      );
    };
    show({ test_context: refused });
    fireEvent.click(await screen.findByLabelText("Use smoke as Value"));
    write("oven.{");
    const problem = await screen.findByText(/column 6: expected a path/);
    expect(problem.previousSibling?.textContent).toBe("oven.{\n     ^");
  });
});

describe("a form that was left", () => {
  const leave = () => {
    cleanup();
    return screen.queryByTestId("provider-submit");
  };
  const form = (station: FakeStation, row: ContextRow | null, version = 3) => {
    const rows = row === null ? [] : [{ ...row, version }];
    const acts = { onClose: () => undefined, onDone: () => undefined };
    renderWith(
      station,
      <ProviderForm provider={row?.id ?? "new"} opened={rows[0] ?? null} rows={rows} topic={null} {...acts} />,
    );
  };
  const station = () => fakeStation({ list_topics: [], list_missions: [], test_context: TESTED }, { role: "admin" });
  const template = () => screen.getByTestId<HTMLInputElement>("provider-world_state_key_template").value;

  it("is there again as it was, and not once it was given up", () => {
    const desk = station();
    form(desk, null);
    write("oven.fumes");
    expect(leave()).toBeNull();
    form(desk, null);
    expect(template()).toBe("oven.fumes");
    fireEvent.click(screen.getByText("Cancel"));
    leave();
    form(desk, null);
    expect(template()).toBe("");
  });

  it("still changes the version that it began with", async () => {
    const desk = station();
    form(desk, OPENED);
    write("oven.fumes");
    leave();
    form(desk, OPENED, 4);
    expect([template(), await screen.findByText(/now version 4; this form was opened with version 3/)]).toEqual([
      "oven.fumes",
      expect.anything(),
    ]);
  });
});

describe("WS-47 a provider that is changed", () => {
  it("is changed as the version the form began with", async () => {
    const station = show({}, OPENED, [OPENED]);
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("provider-submit").disabled).toBe(false));
    await save();
    await waitFor(() => expect(inputOf(station, "update_context")).toMatchObject({ id: "cp-1", version: 3 }));
  });

  it("is not changed once somebody else did", async () => {
    show({}, OPENED, [{ ...OPENED, version: 4 }]);
    await screen.findByText(/now version 4; this form was opened with version 3/);
    expect(screen.getByTestId<HTMLButtonElement>("provider-submit").disabled).toBe(true);
  });
});
