import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useState } from "react";
import type { RobotStateName } from "../../generated/bindings/RobotStateName";
import { robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { ArmButton } from "./ArmButton";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const press = () => fireEvent.click(screen.getByTestId("arm-arm-1"));

function show(first: RobotStateName) {
  const station = fakeStation({ arm_robot: {}, disarm_robot: {} });
  let report: (state: RobotStateName) => void = () => undefined;
  function Reported() {
    const [state, setState] = useState(first);
    report = (next) => act(() => setState(next));
    return <ArmButton robot={robotRow()} state={state} refusal={null} />;
  }
  renderWith(station, <Reported />);
  return { asked: () => station.asked.map(({ name }) => name), report: (state: RobotStateName) => report(state) };
}

it("the second press on Disarm does not arm a robot that was disarmed meanwhile", async () => {
  const { asked, report } = show("armed");
  press();
  await pass(5);
  report("disarmed");
  press();
  await pass(300);
  press();
  expect(asked()).toEqual(["disarm_robot"]);
  await pass(400);
  press();
  await pass(5);
  expect(asked()).toEqual(["disarm_robot", "arm_robot"]);
});

it("Disarm is there as soon as the robot is armed", async () => {
  const { asked, report } = show("disarmed");
  press();
  await pass(5);
  report("armed");
  press();
  await pass(5);
  expect(asked()).toEqual(["arm_robot", "disarm_robot"]);
});
