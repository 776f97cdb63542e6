import { act } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RawCommand } from "../../../generated/bindings/RawCommand";
import { fakeStation, renderWith } from "../../../testing/station";
import { useGoalCheck } from "./useGoalCheck";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const goal = (x: number): RawCommand => ({
  robot: "arm-1",
  actuator: "arm",
  motion: { pose_goal: { position_m: [x, 0, 1] } },
});
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** The goal has rested, and then its judgement has come. */
async function judged() {
  await pass(100);
  await pass(100);
}

it("U-708 a goal that comes back to where it was is judged anew before it counts as judged", async () => {
  let answers = true;
  const station = fakeStation({
    check_command: () => (answers ? { verdict: { overall: "allow" } } : new Promise(() => undefined)),
  });
  let place: (x: number) => void = () => undefined;
  let isOfThis = false;
  function Probe() {
    const [x, setX] = useState(0);
    place = (next) => act(() => setX(next));
    ({ isOfThis } = useGoalCheck(goal(x)));
    return null;
  }
  renderWith(station, <Probe />);
  await judged();
  expect(isOfThis).toBe(true);
  place(1);
  await judged();
  expect(isOfThis).toBe(true);
  answers = false;
  place(0);
  await judged();
  expect(isOfThis).toBe(false);
});
