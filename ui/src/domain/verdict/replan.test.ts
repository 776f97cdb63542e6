import { describe, expect, it } from "vitest";
import type { CommandChecked } from "../../generated/bindings/CommandChecked";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { Verdict } from "../../generated/bindings/Verdict";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { itemRow } from "../../testing/fixtures";
import { replan } from "./replan";

const GOAL: RawCommand = {
  id: "c-1",
  robot: "arm-1",
  actuator: "arm",
  motion: { pose_goal: { position_m: [2, -0.5, 1], speed_mps: 0.5 } },
};
const GRIP: RawCommand = { robot: "arm-1", actuator: "gripper", motion: { gripper: { opening_m: 0.2 } } };
const AGAIN = "Plan the last motion of arm-1 again so that it stays within its limits.";

type Answer = { item?: Partial<VerdictItem>; speed_allowed_mps?: number };

function answer({ item, speed_allowed_mps }: Answer): CommandChecked {
  const overall = item ? "deny" : "allow";
  const verdict = {
    robot: "arm-1",
    frame: "base_link",
    overall,
    speed_allowed_mps: speed_allowed_mps ?? null,
  } as Verdict;
  return { verdict, explanation: item ? [itemRow("workspace", { verdict: "deny", ...item })] : [], sentence: "" };
}

/** A motion denied with `first`, then checked by a station that gives these answers in turn. */
async function check(command: RawCommand | null, first: Answer, answers: readonly Answer[], text: string) {
  const checked: RawCommand[] = [];
  const said = await replan(command, answer(first), async (raw) => {
    checked.push(raw);
    return answer(answers[checked.length - 1] ?? {});
  });
  expect(said).toBe(text);
  expect(checked.every(({ id }) => id === undefined)).toBe(true);
}

describe("U-1604 planning again within the limits", () => {
  it("moves the goal to the nearest allowed point, rounded away from what was asked", () =>
    check(
      GOAL,
      { item: { nearest_allowed_m: [0.9104, -0.4996, 1] } },
      [],
      "move arm-1 to 0.91 -0.499 1 in base_link at 0.5 m/s",
    ));

  it("moves it on until there is room to stop", () =>
    check(
      GOAL,
      { item: { nearest_allowed_m: [0.91, -0.5, 1] } },
      [{ item: { kind: "stopping_distance", margin: -0.052 }, speed_allowed_mps: 0.005 }],
      "move arm-1 to 0.858 -0.5 1 in base_link at 0.5 m/s",
    ));

  it("keeps the goal where a lower speed is enough", () =>
    check(
      GOAL,
      { item: { kind: "stopping_distance", nearest_allowed_m: [0, 0, 1] }, speed_allowed_mps: 0.0469 },
      [],
      "move arm-1 to 2 -0.5 1 in base_link at 0.046 m/s",
    ));

  it("slows the motion to a violated speed limit", () =>
    check(
      GOAL,
      { item: { kind: "max_velocity", unit: "mps", limit: 0.3 } },
      [],
      "move arm-1 to 2 -0.5 1 in base_link at 0.3 m/s",
    ));

  it("ends with what it has when the station shows no further way", () =>
    check(
      GOAL,
      { item: { nearest_allowed_m: [0.91, -0.5, 1] } },
      [{ item: {} }],
      "move arm-1 to 0.91 -0.5 1 in base_link at 0.5 m/s",
    ));

  it("asks to plan again where nothing nearer is known", () => check(GOAL, { item: {} }, [], AGAIN));
  it("asks to plan again what is no goal", () => check(GRIP, { item: { nearest_allowed_m: [0, 0, 0] } }, [], AGAIN));
  it("asks to plan again what cannot be read", () => check(null, { item: {}, speed_allowed_mps: 0.1 }, [], AGAIN));
});
