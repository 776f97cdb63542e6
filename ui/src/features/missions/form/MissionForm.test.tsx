import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionKey } from "../../../generated/bindings/MissionKey";
import type { MissionProblem } from "../../../generated/bindings/MissionProblem";
import { robotRow } from "../../../testing/fixtures";
import { inGerman } from "../../../testing/german";
import { DETAIL, GRAPH } from "../../../testing/missions";
import { fakeStation, renderWith } from "../../../testing/station";
import type { MissionEdit } from "../graph/file-writes";
import type { GraphHistory } from "../graph/useGraphHistory";
import { MissionForm } from "./MissionForm";

const ROVER = robotRow({ id: "rover-1", site: "lab", actuators: [{ id: "base", kind: "base", motions: [] }] });

const PROBLEM: MissionProblem = {
  code: "out_of_range",
  severity: "error",
  line: 3,
  column: 7,
  end_line: 3,
  end_column: 11,
  related: [],
  key: "budget_usd",
  message: "2000 is too much.",
  help: "Write a number up to 1000.",
};

/** The form over a file with these values; `edits` are those that it asked for. */
async function show(values: Record<string, unknown> = {}, more: Partial<MissionDetail> = {}) {
  const form = Object.entries(values).map(([key, value]): MissionKey => ({
    key,
    value,
    text: JSON.stringify(value),
    problem: null,
  }));
  const edits: MissionEdit[][] = [];
  const history: GraphHistory = {
    edit: (_, asked) => void edits.push(asked),
    restore: vi.fn(),
    moved: vi.fn(),
    undo: vi.fn(),
    redo: vi.fn(),
    forget: vi.fn(),
    canUndo: false,
    canRedo: false,
    pending: false,
    saving: false,
    saved: null,
    conflict: { open: null, keepNow: vi.fn(), putMine: vi.fn(), close: vi.fn(), pending: false, error: null },
    error: null,
  };
  const station = fakeStation({ list_robots: [ROVER] });
  const mission = { ...DETAIL, form, ...more };
  const { settled } = renderWith(station, <MissionForm mission={mission} graph={GRAPH} history={history} />);
  await settled();
  return edits;
}

const field = (testId: string) => screen.getByTestId<HTMLInputElement>(testId);
function type(testId: string, value: string) {
  fireEvent.change(field(testId), { target: { value } });
  fireEvent.keyDown(field(testId), { key: "Enter" });
}
function pick(testId: string, value: string) {
  fireEvent.change(within(screen.getByTestId(testId)).getByRole("combobox"), { target: { value } });
}
/** Text of the lines that a control is described by. */
const described = (element: HTMLElement) =>
  (element.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent)
    .join(" ");

describe("ME-07 the form of a mission", () => {
  it.each<[string, string, unknown]>([
    ["completes_when", " gate.status = 'closed' ", "gate.status = 'closed'"],
    ["time_zone", "Europe/Berlin", "Europe/Berlin"],
    ["budget_usd", "2.5", 2.5],
    // The station says that this is no number.
    ["budget_usd", "much", "much"],
  ])("%s is written as it is typed, and taken out of the file when it is emptied", async (key, typed, value) => {
    const edits = await show({ [key]: "old" });
    type(`form-${key}`, typed);
    expect(edits).toEqual([[{ set: { key, value } }]]);
    edits.length = 0;
    type(`form-${key}`, "");
    expect(edits).toEqual([[{ remove: { key } }]]);
  });

  it("shows a number with its unit, and what it means in a line", async () => {
    await show({ budget_usd: 12.5 });
    const budget = screen.getByLabelText<HTMLInputElement>("Budget for models, US dollars");
    expect(budget.value).toBe("12.5");
    expect(described(budget)).toContain("at most 1,000");
  });

  it("makes the mission a part of another one, and of none again", async () => {
    const edits = await show();
    pick("form-parent", "draft-1");
    pick("form-parent", "");
    expect(edits).toEqual([[{ set: { key: "parent", value: "draft-1" } }], [{ remove: { key: "parent" } }]]);
  });

  it("says that each step asks where the file says nothing, and lets the activation approve them", async () => {
    const edits = await show();
    const choice = within(screen.getByTestId("form-approval")).getByRole<HTMLSelectElement>("combobox");
    expect(choice.value).toBe("ask");
    pick("form-approval", "activation");
    expect(edits).toEqual([[{ set: { key: "approval", value: "activation" } }]]);
    // It stays chosen until the file comes back with it.
    expect(choice.value).toBe("activation");
  });

  it.each<[string, unknown]>([
    ["resources", "rover-1/base"],
    [
      "envelope",
      { robot: "rover-1", actuator: "base", operation: "send_command", speed_mps_max: 0.1, count: 1, hours: 1 },
    ],
    [
      "providers",
      {
        topic_pattern: "lab/rover-1/out/state/battery",
        world_state_key_template: "rover-1.battery",
        value_field: "percent",
      },
    ],
    ["alerts", { predicate: "key = 1" }],
    ["schedule", { prompt: "Say what the agent is to do.", cron_schedule: "0 8 * * *" }],
  ])("begins an entry of %s with what fits the mission's robot", async (key, value) => {
    const edits = await show();
    fireEvent.click(screen.getByTestId(`form-${key}-add`));
    expect(edits).toEqual([[{ insert_entry: { key, index: 0, value } }]]);
  });

  it("locks a part around each command only, and takes the key away with its last entry", async () => {
    const edits = await show({ resources: ["rover-1/base"] });
    const hold = screen.getByTestId<HTMLSelectElement>("form-resources-1-hold");
    expect(hold.value).toBe("run");
    fireEvent.change(hold, { target: { value: "command" } });
    fireEvent.click(screen.getByTestId("form-resources-1-remove"));
    expect(edits).toEqual([
      [{ replace_entry: { key: "resources", index: 0, value: { path: "rover-1/base", hold: "command" } } }],
      [{ remove: { key: "resources" } }],
    ]);
  });

  it("takes what may be left out away, and keeps what has no field", async () => {
    const job = { name: "sum", prompt: "Sum up.", cron_schedule: "0 * * * *", max_retries: 2 };
    const edits = await show({ schedule: [job] });
    type("form-schedule-1-cron_schedule", "");
    const { cron_schedule: _, ...left } = job;
    expect(edits).toEqual([[{ replace_entry: { key: "schedule", index: 0, value: left } }]]);
  });

  it("adds a step after the station's own, and writes no class without one", async () => {
    const edits = await show({ fallbacks: { breach: ["alert_agent"] } });
    fireEvent.change(screen.getByTestId("form-fallbacks-breach-add"), { target: { value: "halt_and_wait" } });
    fireEvent.change(screen.getByTestId("form-fallbacks-add"), { target: { value: "link" } });
    fireEvent.click(screen.getByTestId("form-fallbacks-breach-alert_agent-remove"));
    fireEvent.click(screen.getByTestId("form-fallbacks-breach-halt_and_wait-remove"));
    const written = edits.map(([edit]) => (edit !== undefined && "set" in edit ? edit.set.value : edit));
    expect(written).toEqual([
      { breach: ["alert_agent", "halt_and_wait"] },
      { breach: ["alert_agent", "halt_and_wait"], link: ["alert_agent"] },
      { breach: ["halt_and_wait"], link: ["alert_agent"] },
      { link: ["alert_agent"] },
    ]);
  });

  it("shows a value of another type as its text, to be mended there", async () => {
    const edits = await show({ fallbacks: "stop" });
    expect(field("form-fallbacks").value).toBe('"stop"');
    type("form-fallbacks", '{"link": ["alert_agent"]}');
    expect(edits).toEqual([[{ set: { key: "fallbacks", value: { link: ["alert_agent"] } } }]]);
  });

  it("says at its field what the compiler has found wrong with it", async () => {
    await show({ budget_usd: 2000 }, { problems: [PROBLEM] });
    expect(field("form-budget_usd-problem").textContent).toBe("2000 is too much. Write a number up to 1000.");
    expect(described(field("form-budget_usd"))).toContain("2000 is too much.");
  });

  it("has the keys in groups with headings", async () => {
    await show();
    expect(screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      "Who and where",
      "When",
      "What is to be done",
      "What it watches",
      "Approvals and money",
      "When something fails",
    ]);
    const money = screen.getByRole("region", { name: "Approvals and money" });
    expect(within(money).getByTestId("form-budget_usd")).toBeTruthy();
  });
});

describe("in German", () => {
  inGerman();

  it("the fields speak German, and take the decimal comma", async () => {
    const edits = await show({ budget_usd: 12.5 }, { problems: [PROBLEM] });
    const budget = screen.getByLabelText<HTMLInputElement>("Budget für Modelle, US-Dollar");
    expect(budget.value).toBe("12,5");
    type("form-budget_usd", "3,5");
    expect(edits).toEqual([[{ set: { key: "budget_usd", value: 3.5 } }]]);
    expect(field("form-budget_usd-problem").textContent).not.toMatch(/^2000/u);
  });
});
