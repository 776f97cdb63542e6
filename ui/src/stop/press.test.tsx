import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../host/host";
import { frame, robotSafety, stop, stopRobot } from "../testing/fixtures";
import { fakeStation, type FakeStation } from "../testing/station";
import { StopRoot } from "./StopRoot";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] }));
afterEach(() => void vi.useRealTimers());

const NO_ANSWER = new HostError("no_answer", "The station did not answer in time.");

type Answer = { resolve: (answer: { stop_id: number }) => void; reject: (error: Error) => void };

/** A station whose answers to a press come when the test says so. */
function pressed(): { station: FakeStation; answers: Answer[] } {
  const answers: Answer[] = [];
  const station = fakeStation({
    list_audit: [],
    stop_all: () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
  });
  render(<StopRoot host={station.host} store={station.store} />);
  return { station, answers };
}

const press = () => fireEvent.pointerDown(screen.getByTestId("stop-all"), { button: 0 });
const state = () => screen.getByTestId("stop-all").dataset["state"];
const soon = () => act(() => vi.advanceTimersByTimeAsync(1));
function report(station: FakeStation, ...stops: ReturnType<typeof stop>[]) {
  const facts = stops.map((one) => ({ kind: "stop", stop: one }) as const);
  act(() => station.store.applyFrame(frame({ facts }), performance.now()));
}

describe("U-606 a press of STOP ALL", () => {
  it("is not called unsent by the time-out of the press before it", async () => {
    const { answers } = pressed();
    press();
    press();
    answers[1]?.resolve({ stop_id: 41 });
    await soon();
    answers[0]?.reject(NO_ANSWER);
    await soon();
    expect(state()).toBe("sending");
  });

  it("is being sent until the station has reported the stop, not only answered", async () => {
    const { station, answers } = pressed();
    press();
    answers[0]?.resolve({ stop_id: 41 });
    await soon();
    expect(state()).toBe("sending");
    report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 9 })]));
    expect(state()).toBe("stopped");
  });

  it("gives up its name for what the station reports if no frame tells of the stop", async () => {
    const { answers } = pressed();
    press();
    answers[0]?.resolve({ stop_id: 41 });
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(state()).toBe("rest");
  });

  it("that failed gives way to a newer stop of all robots, and to the release of those it found", async () => {
    const { station, answers } = pressed();
    report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 9 })]));
    press();
    answers[0]?.reject(NO_ANSWER);
    await soon();
    expect(state()).toBe("failed");
    report(station, stop(42, [stopRobot("arm-1", { not_confirmed: true })]));
    expect(state()).toBe("not_confirmed");
    report(station, stop(41, [], { open: false }), stop(42, [], { open: false }));
    expect(state()).toBe("rest");
  });

  it("that failed stays history when the stop that came instead is released", async () => {
    const { station, answers } = pressed();
    press();
    answers[0]?.reject(NO_ANSWER);
    await soon();
    expect(state()).toBe("failed");
    report(station, stop(42, [stopRobot("arm-1", { acked_after_ms: 9 })]));
    expect(state()).toBe("stopped");
    report(station, stop(42, [], { open: false }));
    expect(state()).toBe("rest");
  });

  it("that failed stays while only some robots are stopped by another", async () => {
    const { station, answers } = pressed();
    const facts = ["arm-1", "arm-2"].map(
      (robot) => ({ kind: "robot_safety", safety: robotSafety({ robot }) }) as const,
    );
    act(() => station.store.applyFrame(frame({ facts }), performance.now()));
    press();
    answers[0]?.reject(NO_ANSWER);
    await soon();
    report(station, stop(42, [stopRobot("arm-1", { acked_after_ms: 9 })]));
    expect(state()).toBe("failed");
  });
});

it("U-603 F12 twice within a second stops however late a busy page hears it", () => {
  const { answers } = pressed();
  const press = (at_ms: number) => {
    const event = new KeyboardEvent("keydown", { key: "F12", bubbles: true });
    Object.defineProperty(event, "timeStamp", { value: at_ms });
    vi.spyOn(performance, "now").mockReturnValue(at_ms * 10);
    act(() => void document.body.dispatchEvent(event));
  };
  press(1_000);
  press(1_400);
  expect(answers).toHaveLength(1);
  vi.restoreAllMocks();
});

it("U-603 F12 twice stops also if the window was drawn anew in between", () => {
  const { station, answers } = pressed();
  fireEvent.keyDown(document.body, { key: "F12" });
  const facts = [{ kind: "link", robot: "arm-1", link: "live", rtt_ms: 4 } as const];
  act(() => station.store.applyFrame(frame({ facts }), performance.now()));
  fireEvent.keyDown(document.body, { key: "F12" });
  expect(answers).toHaveLength(1);
});

it("U-607 a robot that acknowledged and is seen moving is not called stopped", () => {
  const { station } = pressed();
  report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 9, standstill: false, speed_mps: 0.2 })]));
  expect(state()).toBe("stopping");
  // Nobody has measured it: it does not stand either, as far as the station knows.
  report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 9, standstill: false, speed_mps: null })]));
  expect(state()).toBe("stopped");
  report(station, stop(41, [stopRobot("arm-1", { acked_after_ms: 9, standstill: true })]));
  expect(state()).toBe("stopped");
});

it("U-610 learns of what was done since the stop also if nothing about safety has changed", async () => {
  const records: object[] = [];
  const station = fakeStation({ list_audit: () => records });
  render(<StopRoot host={station.host} store={station.store} />);
  report(station, stop(41, [stopRobot("arm-1")], { at: 1_000 }));
  await soon();
  expect(screen.getByTestId("since-stop").textContent).toContain("Nothing was done since.");
  records.push({ at_wall: 2_000, actor: "kim", operation: "send_message", outcome: "ok", detail: "" });
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  expect(screen.getByTestId("since-stop").textContent).toContain("send message by kim");
});

it("U-610 reads again what was done since the stop after an audit that could not be read", async () => {
  let fails = true;
  const station = fakeStation({
    list_audit: () => {
      if (fails) throw NO_ANSWER;
      return [];
    },
  });
  render(<StopRoot host={station.host} store={station.store} />);
  report(station, stop(41, [stopRobot("arm-1")]));
  await soon();
  expect(screen.getByTestId("since-stop").textContent).toContain("cannot be told");
  fails = false;
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByTestId("since-stop").textContent).toContain("Nothing was done since.");
});
