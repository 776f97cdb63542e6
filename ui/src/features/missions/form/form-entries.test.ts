import { describe, expect, it } from "vitest";
import { emptyOf, KINDS, type ListKey } from "./entry-kinds";
import { formOf, valueOf, valueOfText } from "./form-entries";

const step = { operation: "send_command", name: "home", input: { robot: "arm-1" }, timeout_secs: 60 };
const provider = { topic_pattern: "lab/a/out", world_state_key_template: "a.b", value_field: "c", max_age_secs: 5 };
const request = { robot: "a", actuator: "b", operation: "send_command", speed_mps_max: 0.1, count: 5, hours: 2 };

describe("ME-07 entries of a form", () => {
  it.each<[ListKey, unknown]>([
    ["goals", "Look"],
    ["goals", { goal: "Look", done_when: "a.b = 1" }],
    ["goals", { wait_secs: 5 }],
    ["goals", { wait_for: "a.b = 1" }],
    ["goals", step],
    ["triggers", "immediate"],
    ["triggers", "spawn"],
    ["triggers", { cron: "0 22 * * *" }],
    ["triggers", { when: "a.b = 1", once: true }],
    ["preconditions", "a.b > 3"],
    ["preconditions", { text: "Nobody is in the cell." }],
    ["constraints", { type: "max_velocity", params: 0.5, frame: "map" }],
    ["resources", "arm-1/body/gripper"],
    ["resources", { path: "arm-1/body" }],
    ["resources", { path: "arm-1/body", hold: "command" }],
    ["providers", { ...provider, closed_sets: { status: ["open"] }, rows: "list" }],
    ["alerts", { predicate: "a.b = 1", alarm: { latching: true } }],
    ["schedule", { prompt: "Sum up.", every_secs: 60 }],
    ["schedule", { operation: "list_robots", input: {}, at: "2030-01-01T08:00:00Z" }],
    ["envelope", { ...request, region: { x: [0, 1], y: [0, 1], z: [0, 1] } }],
  ])("%s: %j is shown and written as it was", (list, value) => {
    const form = formOf(list, value);
    expect(form).not.toBeNull();
    expect(form && valueOf(list, form, value)).toEqual({ value });
  });

  it("keeps what it does not show, and takes an optional part away once it is empty", () => {
    const form = formOf("goals", step);
    const changed = form && valueOf("goals", { ...form, parts: { ...form.parts, name: "", timeout_secs: " " } }, step);
    expect(changed).toEqual({ value: { operation: "send_command", input: { robot: "arm-1" } } });
  });

  it("writes no JSON that is none, and leaves it to the station to say what is no number", () => {
    const limit = { type: "max_velocity", params: 0.5 };
    const form = formOf("constraints", limit);
    expect(form && valueOf("constraints", { ...form, parts: { ...form.parts, params: "{" } }, limit)).toBeNull();
    const wait = { kind: "wait_secs", parts: { wait_secs: "soon" } };
    expect(valueOf("goals", wait, { wait_secs: 5 })).toEqual({ value: { wait_secs: "soon" } });
  });

  it.each<[ListKey, unknown]>([
    ["goals", "Look.\nThen wait."],
    ["schedule", { prompt: "Look.\nThen wait.", every_secs: 60 }],
  ])(
    "%s: leaves a text of several lines to the editor of texts, whose fields would lose all but one",
    (list, value) => {
      expect(formOf(list, value)).toBeNull();
    },
  );

  it("has a form for a new entry of every kind, and none for what it does not know", () => {
    for (const list of Object.keys(KINDS) as ListKey[]) {
      for (const { kind } of KINDS[list]) expect(formOf(list, emptyOf(list, kind))?.kind).toBe(kind);
    }
    expect(formOf("goals", { jump: 3 })).toBeNull();
    expect(formOf("triggers", 5)).toBeNull();
  });
});

it.each([
  ['["dock", "yard"]', ["dock", "yard"]],
  ['{"retry": {"times": 2}}', { retry: { times: 2 } }],
  ["stop", "stop"],
  ["[dock", "[dock"],
])("a key that is edited as text becomes the list that was meant: %s", (text, value) => {
  expect(valueOfText(text)).toEqual(value);
});
