import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { CauseRow } from "../../generated/bindings/CauseRow";
import type { RobotSafety } from "../../generated/bindings/RobotSafety";
import type { Role } from "../../generated/bindings/Role";
import { HostError } from "../../host/host";
import { causeRow, frame, robotRow, robotSafety } from "../../testing/fixtures";
import { type FakeStation, fakeStation, renderWith } from "../../testing/station";
import { StateSection } from "./StateSection";

function report(station: FakeStation, safety: RobotSafety) {
  act(() => station.store.applyFrame(frame({ facts: [{ kind: "robot_safety", safety }] }), performance.now()));
}

function show(
  change: Partial<RobotSafety>,
  { role = "operator", answers = {} }: { role?: Role; answers?: Record<string, unknown> } = {},
) {
  const station = fakeStation(
    { acknowledge_cause: {}, disarm_robot: {}, recommission: {}, hold_robot: {}, ...answers },
    { role },
  );
  const view = renderWith(station, <StateSection robot={robotRow()} />);
  report(station, robotSafety(change));
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { station, view, asked };
}

const button = (testId: string) => screen.getByTestId<HTMLButtonElement>(testId);

/** Presses a button as Enter does: it has the focus, and the browser turns the key into a click. */
function press(testId: string) {
  button(testId).focus();
  if (!button(testId).disabled) fireEvent.click(button(testId), { detail: 0 });
}

/** Writes into the field that has the focus, then Enter. */
function write(text: string) {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || !field.form) throw new Error("the focus is in no field");
  fireEvent.change(field, { target: { value: text } });
  fireEvent.submit(field.form);
}

/** An operation is called, and answered, in a later task. */
const settle = () => act(async () => undefined);

it("U-505 U-210 the state is hatched while nobody can tell whether it still holds", () => {
  const { station } = show({ state: "armed" });
  const word = () => screen.getByTestId("safety-state").querySelector("strong");
  expect(word()?.dataset["lost"]).toBe("false");
  act(() =>
    station.store.applyFrame(
      frame({ facts: [{ kind: "link", robot: robotRow().id, link: "lost", rtt_ms: null }] }),
      performance.now(),
    ),
  );
  expect([word()?.dataset["lost"], word()?.textContent]).toEqual(["true", "Armed"]);
});

describe("U-707 the causes of a state", () => {
  it("each say what happened, since when, whether it still holds, and what ends it", () => {
    show({ causes: [causeRow({ cause: "sensor_frozen", sentence: "The pose does not change while it should." })] });
    const text = screen.getByTestId("cause-sensor_frozen").textContent;
    for (const part of [
      "Sensor frozen",
      "does not change while it should",
      "4.0 s",
      "cleared",
      "an Operator acknowledges it",
    ])
      expect(text).toContain(part);
  });

  it("are acknowledged by keyboard, with a reason, and the focus stays in the panel when the cause is gone", async () => {
    const { station, asked } = show({});
    press("acknowledge-hold_requested");
    write("  cell checked ");
    await settle();
    expect(asked("acknowledge_cause")).toEqual([{ robot: "arm-1", cause: "hold_requested", reason: "cell checked" }]);
    report(station, robotSafety({ state: "armed", causes: [] }));
    expect(document.activeElement).toBe(screen.getByTestId("safety-state"));
  });

  it("that come while the hand is among them are counted, and shown when asked for", () => {
    const { station } = show({});
    fireEvent.pointerEnter(screen.getByTestId("causes").parentElement as HTMLElement);
    const causes = [causeRow(), causeRow({ cause: "breach" })];
    report(station, robotSafety({ causes }));
    expect([screen.queryByTestId("cause-breach"), screen.getByTestId("let-in").textContent]).toEqual([null, "1 new"]);
    press("let-in");
    expect(screen.getByTestId("cause-breach")).toBeTruthy();
  });

  it("are not acknowledged without a reason", async () => {
    const { asked } = show({});
    press("acknowledge-hold_requested");
    write("   ");
    await settle();
    expect([asked("acknowledge_cause"), button("acknowledge-form-hold_requested-submit").disabled]).toEqual([[], true]);
  });

  it.each([
    ["present", { present: true }, "operator", "Still present"],
    ["is not for this role", {}, "viewer", "needs Operator"],
  ] as const)("are closed, with the reason, where one %s", (_why, cause: Partial<CauseRow>, role, reason) => {
    show({ causes: [causeRow(cause)] }, { role });
    expect(button("acknowledge-hold_requested").disabled).toBe(true);
    expect(screen.getByTestId("cause-hold_requested").textContent).toContain(reason);
  });

  it("may come back while somebody writes the reason", async () => {
    const { station, asked } = show({});
    press("acknowledge-hold_requested");
    report(station, robotSafety({ causes: [causeRow({ present: true })] }));
    write("cell checked");
    await settle();
    expect(asked("acknowledge_cause")).toEqual([]);
  });

  it("show the station's refusal where it was asked", async () => {
    const refuse = () => {
      throw new HostError("cause_present", "It still holds for arm-1: Somebody asked the robot to hold.");
    };
    show({}, { answers: { acknowledge_cause: refuse } });
    press("acknowledge-hold_requested");
    write("cell checked");
    expect(await screen.findByText(/It still holds for arm-1/)).toBeTruthy();
  });

  it("that need a look end with a disarm by somebody who says to have looked", async () => {
    const { asked } = show({
      state: "safe_stop",
      causes: [causeRow({ cause: "stop_unconfirmed", clears: "on_disarm" })],
    });
    press("look-stop_unconfirmed");
    expect([document.activeElement, button("looked-submit").disabled]).toEqual([screen.getByTestId("looked"), true]);
    fireEvent.click(screen.getByTestId("looked"));
    press("looked-submit");
    await settle();
    expect(asked("disarm_robot")).toEqual([{ robot: "arm-1", looked: true }]);
  });

  it("that come back after a look need another one", () => {
    const cause = causeRow({ cause: "stop_unconfirmed", clears: "on_disarm" });
    const { station } = show({ state: "safe_stop", causes: [cause] });
    press("look-stop_unconfirmed");
    fireEvent.click(screen.getByTestId("looked"));
    const told = (present: boolean) =>
      report(station, robotSafety({ state: "safe_stop", causes: [{ ...cause, present }] }));
    told(true);
    told(false);
    expect([screen.getByTestId<HTMLInputElement>("looked").checked, button("looked-submit").disabled]).toEqual([
      false,
      true,
    ]);
  });

  it.each(["when_condition_clears", "on_release", "never"] as const)(
    "that end otherwise (%s) have no act, but say how",
    (clears) => {
      show({ causes: [causeRow({ clears })] });
      const row = screen.getByTestId("cause-hold_requested");
      expect([row.querySelector("button"), (row.textContent?.length ?? 0) > 40]).toEqual([null, true]);
    },
  );
});

describe("U-707 the acts of a state", () => {
  it.each(["viewer", "operator"] as const)("a %s may hold the robot in every state", async (role) => {
    const { asked } = show({ state: "disarmed", causes: [] }, { role });
    press("hold-arm-1");
    await settle();
    expect(asked("hold_robot")).toEqual([{ robot: "arm-1" }]);
  });

  it("a locked robot is recommissioned by an Admin with a reason", async () => {
    const { asked } = show(
      { state: "lockout", causes: [causeRow({ cause: "state_fault", clears: "never" })] },
      { role: "admin" },
    );
    expect(document.activeElement).toBe(document.body);
    press("recommission");
    write("gate replaced");
    await settle();
    expect(asked("recommission")).toEqual([{ robot: "arm-1", reason: "gate replaced" }]);
  });

  it.each([
    ["operator", false, "needs Admin"],
    ["admin", true, "Still present"],
  ] as const)("a locked robot stays locked for an %s, cause present: %s", (role, present, reason) => {
    const { view } = show(
      { state: "lockout", causes: [causeRow({ cause: "state_fault", clears: "never", present })] },
      { role },
    );
    expect([button("recommission").disabled, view.container.textContent?.includes(reason)]).toEqual([true, true]);
  });

  it("a stop that outlasts the lock keeps nobody from recommissioning", () => {
    const stop = causeRow({ cause: "stop_all", clears: "on_release", present: true });
    show(
      { state: "lockout", causes: [causeRow({ cause: "breach", clears: "on_acknowledge", present: false }), stop] },
      { role: "admin" },
    );
    expect(button("recommission").disabled).toBe(false);
  });

  it("says where only the station checks commands", () => {
    const { view } = show({ gate: "none", state: "disarmed", causes: [] });
    expect(view.container.textContent).toContain("checked only by the station");
  });
});

describe("a robot that stands where it may not be", () => {
  it("is armed to escape with a reason, by keyboard", async () => {
    const { asked } = show(
      { state: "disarmed", causes: [], escape_possible: true, arming_problem: "it is outside" },
      { answers: { arm_robot: {} } },
    );
    press("escape");
    write("led out by hand");
    await settle();
    expect(asked("arm_robot")).toEqual([{ robot: "arm-1", reason: "led out by hand" }]);
  });

  it("offers no escape where something else keeps it from arming", () => {
    show({ state: "disarmed", causes: [], escape_possible: false, arming_problem: "it is outside" });
    expect(screen.queryByTestId("escape")).toBeNull();
  });
});
