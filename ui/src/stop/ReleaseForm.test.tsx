import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HostError } from "../host/host";
import { causeRow, frame, robotSafety, stop, stopRobot } from "../testing/fixtures";
import { fakeStation, type FakeStation } from "../testing/station";
import { StopRoot } from "./StopRoot";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const acked = { acked_after_ms: 9, standstill: true };

function stopped(answers: Record<string, unknown> = {}, session: { locked?: boolean } = {}): FakeStation {
  const station = fakeStation({ list_audit: [], ...answers }, session);
  render(<StopRoot host={station.host} store={station.store} />);
  report(station, stop(41, [stopRobot("arm-1", acked), stopRobot("arm-2", acked)]));
  return station;
}

function report(station: FakeStation, told: ReturnType<typeof stop>) {
  act(() => station.store.applyFrame(frame({ facts: [{ kind: "stop", stop: told }] }), performance.now()));
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const reason = () => screen.getByTestId<HTMLInputElement>("release-reason");
async function hold() {
  await pass(700);
  fireEvent.pointerDown(screen.getByTestId("release"), { button: 0 });
  await pass(1_100);
}

it("U-610 another stop does not choose again a robot that was left out, and keeps the reason", () => {
  const station = stopped();
  fireEvent.click(screen.getByTestId("release-choose"));
  fireEvent.click(screen.getByRole("checkbox", { name: "arm-2" }));
  fireEvent.change(reason(), { target: { value: "cell checked" } });
  report(station, stop(42, [stopRobot("rover-1", acked)]));
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "arm-2" }).checked).toBe(false);
  expect(reason().value).toBe("cell checked");
  expect(screen.getByTestId("release").textContent).toContain("Release stops #41, #42");
});

it("U-610 a robot that was left out can be chosen once it is the last one", () => {
  const station = fakeStation({ list_audit: [] });
  render(<StopRoot host={station.host} store={station.store} />);
  report(station, stop(41, [stopRobot("arm-1", acked)]));
  report(station, stop(42, [stopRobot("arm-2", acked)]));
  fireEvent.click(screen.getByTestId("release-choose"));
  fireEvent.click(screen.getByRole("checkbox", { name: "arm-2" }));
  fireEvent.click(screen.getByTestId("release-choose"));
  report(station, stop(41, [], { open: false }));
  expect(screen.getByTestId("release-choose")).toBeTruthy();
});

it("U-610 the refusal of a release is shown also if another stop is why", async () => {
  let refuse: (error: Error) => void = () => undefined;
  const station = stopped({ release_stop: () => new Promise((_, reject) => (refuse = reject)) });
  fireEvent.change(reason(), { target: { value: "cell checked" } });
  await hold();
  report(station, stop(42, [stopRobot("rover-1", acked)]));
  refuse(new HostError("stop_set_changed", "The open stops are not the ones named."));
  await pass(1);
  expect(screen.getByText("The open stops are not the ones named.")).toBeTruthy();
});

it("U-607 the reason of a stop does not turn round what stands beside it", () => {
  const station = stopped();
  report(station, stop(42, [stopRobot("arm-1", acked)], { reason: "\u202Efire" }));
  expect(screen.getByText("“\u202Efire”").tagName).toBe("BDI");
});

it("U-610 the next release needs a reason of its own", async () => {
  stopped({ release_stop: {} });
  fireEvent.change(reason(), { target: { value: "cell checked" } });
  await hold();
  await pass(1);
  expect(reason().value).toBe("");
});

it("U-610 a cause that comes back after a look needs another one", () => {
  const station = stopped();
  const told = (present: boolean) => {
    const causes = [causeRow({ cause: "stop_unconfirmed", clears: "on_disarm", present })];
    const safety = robotSafety({ robot: "arm-1", causes });
    act(() => station.store.applyFrame(frame({ facts: [{ kind: "robot_safety", safety }] }), performance.now()));
  };
  told(false);
  fireEvent.click(screen.getByTestId("stop-look-arm-1"));
  told(true);
  told(false);
  expect(screen.getByTestId<HTMLInputElement>("stop-look-arm-1").checked).toBe(false);
});

it("U-614 a cause cannot be acknowledged at a locked desk, and the desk is named as why", () => {
  const station = stopped({}, { locked: true });
  const causes = [causeRow({ cause: "breach", clears: "on_acknowledge", present: false })];
  const safety = robotSafety({ robot: "arm-1", causes });
  act(() => station.store.applyFrame(frame({ facts: [{ kind: "robot_safety", safety }] }), performance.now()));
  expect(screen.getByTestId("release-blockers").textContent).toContain("This desk is locked.");
});
