import { expect, it } from "vitest";
import type { RawCommand } from "../../bindings/RawCommand";
import type { Verdict } from "../../bindings/Verdict";
import type { VerdictItem } from "../../bindings/VerdictItem";
import { itemRow } from "../testing/fixtures";
import { replanText } from "./replan";

const GOAL: RawCommand = { robot: "arm-1", actuator: "arm", motion: { pose_goal: { position_m: [2, -0.5, 1], speed_mps: 0.5 } } };
const GRIP: RawCommand = { robot: "arm-1", actuator: "gripper", motion: { gripper: { opening_m: 0.2 } } };

function check(command: RawCommand | null, change: Partial<VerdictItem>, speed_allowed_mps: number | null, text: string) {
  const verdict = { robot: "arm-1", frame: "base_link", speed_allowed_mps } as Verdict;
  expect(replanText(command, verdict, [itemRow("workspace", { verdict: "deny", ...change })])).toBe(text);
}

const AGAIN = "Plan the last motion of arm-1 again so that it stays within its limits.";

it("moves the goal to the nearest allowed point, rounded away from what was asked", () =>
  check(GOAL, { nearest_allowed_m: [0.9104, -0.4996, 1] }, null, "move arm-1 to 0.91 -0.499 1 in base_link at 0.5 m/s"));
it("slows the motion to what is allowed, rounded down", () => check(GOAL, {}, 0.0469, "move arm-1 to 2 -0.5 1 in base_link at 0.046 m/s"));
it("keeps the goal where a lower speed is enough", () =>
  check(GOAL, { kind: "stopping_distance", nearest_allowed_m: [0, 0, 1] }, 0.05, "move arm-1 to 2 -0.5 1 in base_link at 0.05 m/s"));
it("slows the motion to a violated speed limit", () =>
  check(GOAL, { kind: "max_velocity", unit: "mps", limit: 0.3 }, null, "move arm-1 to 2 -0.5 1 in base_link at 0.3 m/s"));
it("asks to plan again where nothing nearer is known", () => check(GOAL, {}, null, AGAIN));
it("asks to plan again what is no goal", () => check(GRIP, { nearest_allowed_m: [0, 0, 0] }, null, AGAIN));
it("asks to plan again what cannot be read", () => check(null, {}, 0.1, AGAIN));
