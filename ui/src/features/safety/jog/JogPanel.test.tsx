import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ActuatorRow } from "../../../generated/bindings/ActuatorRow";
import type { RawCommand } from "../../../generated/bindings/RawCommand";
import { frame, poseSignal, robotRow } from "../../../testing/fixtures";
import { fakeStation, renderWith } from "../../../testing/station";
import { JogPanel } from "./JogPanel";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const BASE: ActuatorRow = { id: "base", kind: "base", motions: ["pose_goal", "velocity"] };
const ANSWER = { command_id: "c-1", state: "received", code: null, sentence: "" };

function show(actuator: ActuatorRow = BASE) {
  const station = fakeStation({ jog: ANSWER });
  const view = renderWith(station, <JogPanel robot={robotRow({ actuators: [actuator] })} />);
  const sent = () => station.asked.map(({ input }) => input as { linear_mps: number[]; angular_radps: number[] });
  const last = () => [sent().at(-1)?.linear_mps, sent().at(-1)?.angular_radps];
  return { station, view, sent, last };
}

const direction = (name: string) => screen.getByTestId<HTMLButtonElement>(`jog-${name}`);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const STILL = [
  [0, 0, 0],
  [0, 0, 0],
];

describe("U-706 the pad", () => {
  it("is not there for what takes no velocities", () => {
    const { view } = show({ id: "gripper", kind: "gripper", motions: ["gripper"] });
    expect(view.container.textContent).toBe("");
  });

  it("says that it is not an enabling device", () => {
    show();
    expect(screen.getByTestId("jog").textContent).toContain("not an enabling device");
  });

  it("drives while the pointer holds, at the speed of the field", async () => {
    const { sent, last } = show();
    fireEvent.change(screen.getByLabelText("Speed"), { target: { value: "0.3" } });
    fireEvent.pointerDown(direction("x_plus"), { button: 0 });
    await pass(950);
    expect([sent().length, last()]).toEqual([
      10,
      [
        [0.3, 0, 0],
        [0, 0, 0],
      ],
    ]);
    fireEvent.pointerUp(direction("x_plus"));
    await pass(1_000);
    expect([sent().length, last()]).toEqual([11, STILL]);
  });

  it.each([
    [
      "ArrowUp",
      [
        [0, 0.05, 0],
        [0, 0, 0],
      ],
    ],
    [
      "ArrowLeft",
      [
        [-0.05, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      "PageUp",
      [
        [0, 0, 0],
        [0, 0, 0.2],
      ],
    ],
  ])("%s drives from any direction until it is let go", async (key, velocity) => {
    const { last } = show();
    direction("y_plus").focus();
    fireEvent.keyDown(direction("y_plus"), { key });
    fireEvent.keyDown(direction("y_plus"), { key, repeat: true });
    await pass(10);
    expect(last()).toEqual(velocity);
    fireEvent.keyUp(direction("y_plus"), { key });
    await pass(10);
    expect(last()).toEqual(STILL);
  });

  it("ends with whatever key is let go: Shift and Caps Lock change the name of one that is held", async () => {
    const { last } = show();
    direction("y_plus").focus();
    fireEvent.keyDown(direction("y_plus"), { key: "ArrowRight" });
    await pass(10);
    fireEvent.keyUp(direction("y_plus"), { key: "ArrowRight", shiftKey: true });
    await pass(10);
    expect(last()).toEqual(STILL);
  });

  it.each<[string, () => void]>([
    ["the pointer leaves", () => fireEvent.pointerLeave(direction("x_plus"))],
    ["the system takes the pointer", () => fireEvent.pointerCancel(direction("x_plus"))],
    ["the focus goes", () => direction("x_plus").blur()],
    ["the window loses the focus", () => fireEvent.blur(window)],
    ["the window is hidden", () => fireEvent(document, new Event("visibilitychange"))],
  ])("says zero when %s", async (_, happen) => {
    const { sent, last } = show();
    fireEvent.pointerDown(direction("x_plus"), { button: 0 });
    await pass(10);
    act(happen);
    await pass(1_000);
    expect([sent().length, last()]).toEqual([2, STILL]);
  });

  it("says zero when control is gone and the pad with it", async () => {
    const { view, last } = show();
    fireEvent.pointerDown(direction("x_plus"), { button: 0 });
    await pass(10);
    view.unmount();
    await pass(10);
    expect(last()).toEqual(STILL);
  });

  it("drives at no speed that is none", () => {
    const { sent } = show();
    fireEvent.change(screen.getByLabelText("Speed"), { target: { value: "0" } });
    fireEvent.pointerDown(direction("x_plus"), { button: 0 });
    expect([direction("x_plus").disabled, sent()]).toEqual([true, []]);
  });
});

describe("U-706 a step of a typed distance", () => {
  const OUTCOME = {
    command_id: "c-1",
    state: "received",
    code: null,
    sentence: "",
    verdict: null,
    explanation: [],
    proposal: null,
  };
  const POSE = poseSignal("rover-1", [1, 2, 0]);

  function showSteps(signals = [POSE]) {
    const station = fakeStation({ send_command: OUTCOME });
    station.store.applyFrame(frame({ signals }), performance.now());
    renderWith(station, <JogPanel robot={robotRow({ id: "rover-1", actuators: [BASE] })} />);
    return station;
  }

  it("is one command to the place the distance leads to", async () => {
    const station = showSteps();
    fireEvent.change(screen.getByLabelText("Step size"), { target: { value: "0,25" } });
    fireEvent.click(screen.getByTestId("jog-step-y_minus"));
    await pass(10);
    const sent = station.asked.filter(({ name }) => name === "send_command").map(({ input }) => input as RawCommand);
    expect(sent.map(({ robot, actuator, frame: of, motion }) => [robot, actuator, of, motion])).toEqual([
      ["rover-1", "base", "base_link", { pose_goal: { position_m: [1, 1.75, 0], speed_mps: 0.05 } }],
    ]);
    expect(screen.getByTestId("jog-step-told").textContent).toBe("Step received.");
  });

  it("is not offered from a place that is not known", () => {
    showSteps([]);
    expect(screen.getByTestId<HTMLButtonElement>("jog-step-x_plus").disabled).toBe(true);
    expect(screen.getByTestId("jog-step-told").textContent).toContain("position is not known");
  });

  it("is not offered for a distance that is none, nor for a heading", () => {
    showSteps();
    fireEvent.change(screen.getByLabelText("Step size"), { target: { value: "0" } });
    expect(screen.getByTestId<HTMLButtonElement>("jog-step-x_plus").disabled).toBe(true);
    expect(screen.queryByTestId("jog-step-turn_plus")).toBeNull();
  });
});
