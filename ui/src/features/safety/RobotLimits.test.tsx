import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConstraintPreview } from "../../generated/bindings/ConstraintPreview";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { Role } from "../../generated/bindings/Role";
import { HostError } from "../../host/host";
import { constraintRow, robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { RobotLimits } from "./RobotLimits";

// jsdom draws no canvas; what a scene says in words is tested with its model.
vi.mock("../../domain/scene/flat/Scene", () => ({ Scene: () => null }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const ZONE: ConstraintRow = constraintRow({
  constraint: { ForbiddenZone: { center: [0.42, 0.5, 0.86], radius: 0.25 } },
  unit: "m",
});
const MANIFEST = constraintRow({ id: "manifest-max_velocity", scope: "manifest", constraint: { MaxVelocity: 1 } });
const PREVIEW: ConstraintPreview = {
  preview_id: "pv-1",
  direction: "loosening",
  old: ZONE.constraint,
  new: { ForbiddenZone: { center: [0.42, 0.5, 0.86], radius: 0.15 } },
  leaves_incomplete: false,
  robots: ["arm-1"],
  recorded: 0,
  allow_to_deny_total: 0,
  allow_to_deny: [],
  deny_to_allow_total: 0,
  deny_to_allow: [],
};
const CHANGED = { id: "con-1", version: { "arm-1": 9 }, message: "Changed." };

async function show(
  role: Role,
  answers: Record<string, unknown> = {},
  rows: readonly ConstraintRow[] = [MANIFEST, ZONE],
) {
  const station = fakeStation({ list_constraints: () => rows, list_proposals: [], ...answers }, { role });
  const view = renderWith(station, <RobotLimits robot={robotRow()} limit={undefined} />);
  await pass(1);
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { station, view, asked };
}

/** Presses a button as Enter does: it has the focus, and the browser turns the key into a click. */
function press(testId: string) {
  const button = screen.getByTestId<HTMLButtonElement>(testId);
  button.focus();
  if (!button.disabled) fireEvent.click(button, { detail: 0 });
}

/** Types into the field that has this label. */
function type(label: string, text: string) {
  const field = screen.getByLabelText<HTMLInputElement>(label);
  field.focus();
  fireEvent.change(field, { target: { value: text } });
  return field;
}

/** Enter in a field. */
async function enter() {
  const form = document.activeElement?.closest("form");
  if (!form) throw new Error("the focus is in no form");
  fireEvent.submit(form);
  await pass(1);
}

const enabled = (...ids: string[]) => ids.map((id) => !screen.getByTestId<HTMLButtonElement>(id).disabled);
const CONTROLS = ["tighten-con-1", "loosen-con-1", "remove-con-1", "add-limit"];

describe("the set in force", () => {
  it("U-1601 shows kind, scope, numbers with units, frame and version", async () => {
    const { view } = await show("viewer");
    const cells = [...view.container.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("th, td")].slice(0, 4).map((cell) => cell.textContent?.trim()),
    );
    expect(cells).toEqual([
      ["Speed", "at most 1 m/s", "–", "manifest"],
      ["Forbidden zone", "not within 0.25 m of (0.42, 0.5, 0.86) m", "base_link", "robot"],
    ]);
    expect(screen.getByTestId("limit-manifest-max_velocity").textContent).toContain("from the manifest");
    expect(screen.getByText("set version 8")).toBeTruthy();
  });

  it.each([
    ["viewer", [false, false, false, false], "needs Operator"],
    ["operator", [true, false, false, false], "needs Admin"],
    ["admin", [true, true, true, true], null],
  ] as const)("U-210 opens to a %s what the role may do, and says what it needs", async (role, open, reason) => {
    await show(role);
    expect(enabled(...CONTROLS)).toEqual(open);
    const why = screen.getByTestId("limit-con-1").querySelector("small")?.textContent ?? null;
    expect(why).toBe(reason);
  });

  it("U-1610 says that no limits mean no motion", async () => {
    const { view } = await show("admin", {}, []);
    expect(view.container.textContent).toContain("No limits – all motion is denied");
    expect(enabled("add-limit")).toEqual([true]);
  });

  it("U-1609 names the stop behaviour and the hardware E-stop", async () => {
    const { view } = await show("viewer");
    expect(view.container.textContent).toContain("holds position (category-2-like)");
    expect(view.container.textContent).toContain("red button on the pedestal");
  });
});

describe("adding a limit with the keyboard", () => {
  it("takes the focus, reads comma and point, and gives the focus back", async () => {
    const { asked } = await show("admin", {
      register_constraint: { ...CHANGED, message: "Constraint registered for robot arm-1" },
    });
    press("add-limit");
    expect(document.activeElement).toBe(screen.getByLabelText("Kind"));
    fireEvent.change(screen.getByLabelText("Kind"), { target: { value: "forbidden_zone" } });
    type("Centre x", "0,4");
    type("Centre y", "0.5");
    type("Centre z", "1");
    const radius = type("Radius", "0.2");
    fireEvent.keyDown(radius, { key: "ArrowUp" });
    expect(radius.value).toBe("0.25");
    await enter();
    expect(asked("register_constraint")).toEqual([
      {
        robot: "arm-1",
        constraint_type: "forbidden_zone",
        params_json: '{"center":[0.4,0.5,1],"radius":0.25}',
        frame: "base_link",
      },
    ]);
    expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain("The limit is in force.");
    expect(document.activeElement).toBe(screen.getByTestId("add-limit"));
  });

  it("U-1610 sends nothing with a problem in it, and F8 goes from one to the next", async () => {
    const { asked } = await show("admin");
    press("add-limit");
    type("x min", "1");
    type("x max", "0");
    for (const label of ["y min", "z min", "z max"]) type(label, label === "z max" ? "1" : "0");
    await enter();
    expect(asked("register_constraint")).toEqual([]);
    const form = document.activeElement as HTMLElement;
    const visited = ["F8", "F8", "F8"].map((key) => {
      fireEvent.keyDown(document.activeElement ?? form, { key });
      return (document.activeElement as HTMLInputElement).labels?.[0]?.textContent;
    });
    expect(visited).toEqual(["x max", "y max", "x max"]);
  });

  it("U-1602 shows a refusal at the field its path names", async () => {
    const refused = () => {
      throw new HostError("bad_constraint", "must be a number from 0 to 100", { path: "params_json" }, 422);
    };
    await show("admin", { register_constraint: refused });
    press("add-limit");
    fireEvent.change(screen.getByLabelText("Kind"), { target: { value: "max_velocity" } });
    const speed = type("Maximum speed", "101");
    await enter();
    expect(speed.getAttribute("aria-invalid")).toBe("true");
    const about = (speed.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.querySelector(`[id="${id}"]`)?.textContent);
    expect(about).toEqual(["m/s", "must be a number from 0 to 100"]);
    type("Maximum speed", "10");
    await pass(1);
    expect(speed.getAttribute("aria-invalid")).toBe("false");
  });
});

describe("U-1603 changing a limit", () => {
  it("tightens at once, with the version of the row", async () => {
    const { asked } = await show("operator", { tighten_constraint: CHANGED });
    press("tighten-con-1");
    expect(enabled("limit-submit")).toEqual([false]);
    type("Radius", "0,3");
    expect(screen.getByTestId("diff").textContent).toContain("Radius0.25 m→ 0.3 m");
    await enter();
    expect(asked("tighten_constraint")).toEqual([
      { id: "con-1", version: 8, params_json: '{"center":[0.42,0.5,0.86],"radius":0.3}' },
    ]);
  });

  it("loosens only what was previewed, with a reason, after a hold of 1 s", async () => {
    const { asked } = await show("admin", { preview_constraint_change: PREVIEW, loosen_constraint: CHANGED });
    press("loosen-con-1");
    type("Radius", "0.15");
    expect(enabled("limit-preview")).toEqual([false]);
    type("Reason", "the fixture moved");
    await enter();
    expect(asked("preview_constraint_change")).toEqual([
      { id: "con-1", params_json: '{"center":[0.42,0.5,0.86],"radius":0.15}' },
    ]);
    expect(screen.getByTestId("confirmation").textContent).toContain("loosening");
    await pass(700);
    fireEvent.keyDown(screen.getByTestId("confirm"), { key: "Enter" });
    fireEvent.keyDown(screen.getByTestId("confirm"), { key: " " });
    await pass(1_010);
    expect(asked("loosen_constraint")).toEqual([
      {
        id: "con-1",
        version: 8,
        params_json: '{"center":[0.42,0.5,0.86],"radius":0.15}',
        reason: "the fixture moved",
        preview_id: "pv-1",
      },
    ]);
  });

  it("says what the recorded commands of the last day would have become", async () => {
    const verdict = { overall: "allow", items: [] };
    const tried = {
      robot: "arm-1",
      command: "0199",
      at: 1_772_990_120,
      verdict,
      sentence: "Allowed: all 6 limits hold.",
    };
    const preview = { ...PREVIEW, recorded: 12, deny_to_allow_total: 1, deny_to_allow: [tried] };
    await show("admin", { preview_constraint_change: preview });
    press("loosen-con-1");
    type("Radius", "0.15");
    type("Reason", "the fixture moved");
    await enter();
    const text = screen.getByTestId("tried").textContent;
    for (const part of [
      "12 recorded commands",
      "1 that was denied would be allowed",
      "all 6 limits hold",
      "0 that were allowed would be denied",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("drops the preview when the draft changes after it", async () => {
    await show("admin", { preview_constraint_change: PREVIEW });
    press("loosen-con-1");
    type("Radius", "0.15");
    type("Reason", "the fixture moved");
    await enter();
    type("Radius", "0.1");
    expect(screen.queryByTestId("confirmation")).toBeNull();
  });

  it("removes after a preview that names who is disarmed", async () => {
    const { asked } = await show("admin", {
      preview_constraint_change: { ...PREVIEW, new: null, leaves_incomplete: true },
      remove_constraint: CHANGED,
    });
    press("remove-con-1");
    type("Reason", "not needed");
    await enter();
    expect(asked("preview_constraint_change")).toEqual([{ id: "con-1", params_json: null }]);
    expect(screen.getByTestId("confirmation").textContent).toContain("arm-1 will be disarmed");
    await pass(700);
    fireEvent.keyDown(screen.getByTestId("confirm"), { key: " " });
    await pass(1_010);
    expect(asked("remove_constraint")).toEqual([{ id: "con-1", version: 8, reason: "not needed", preview_id: "pv-1" }]);
  });

  it("U-1610 stops when another desk changed the set, until it was compared", async () => {
    let rows = [ZONE];
    const station = fakeStation(
      { list_constraints: () => rows, list_proposals: [], tighten_constraint: CHANGED },
      { role: "operator" },
    );
    const client = renderWith(station, <RobotLimits robot={robotRow()} limit={undefined} />);
    await pass(1);
    press("tighten-con-1");
    type("Radius", "0.4");
    rows = [{ ...ZONE, version: 9, constraint: { ForbiddenZone: { center: [0.42, 0.5, 0.86], radius: 0.3 } } }];
    await act(() => client.queries.invalidateQueries({ queryKey: ["constraints"] }));
    await pass(1);
    expect([
      enabled("limit-submit"),
      client.container.textContent?.includes("now version 9; this form was opened with version 8"),
    ]).toEqual([[false], true]);
    fireEvent.click(screen.getByText("Compare with it"));
    expect(screen.getByTestId("diff").textContent).toContain("Radius0.3 m→ 0.4 m");
    expect(enabled("limit-submit")).toEqual([true]);
  });
});

it("FU-28 limits come before what is rarely changed", async () => {
  await show("admin");
  const add = screen.getByTestId("add-limit");
  for (const title of ["Standing approvals", "Locks", "Distance to limits"]) {
    const later = screen.getByRole("heading", { name: title });
    expect(add.compareDocumentPosition(later) & Node.DOCUMENT_POSITION_FOLLOWING, title).toBeTruthy();
  }
});
