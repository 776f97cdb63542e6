import { describe, expect, it } from "vitest";
import { newMotion, readMotion, writeMotion } from "./motion-input";

const GOAL = {
  robot: "arm-1",
  actuator: "arm",
  force_n: 5,
  motion: { pose_goal: { position_m: [0.5, 0.2, 1], speed_mps: 0.1, orientation: [0, 0, 0, 1] } },
};

describe("ME-17 the fields of a motion", () => {
  it("show a pose goal, a gripper and a switch, and leave everything else as JSON", () => {
    expect(readMotion(GOAL)).toEqual({
      robot: "arm-1",
      actuator: "arm",
      frame: null,
      motion: { kind: "pose_goal", position_m: [0.5, 0.2, 1], speed_mps: 0.1 },
    });
    expect(readMotion({})?.robot).toBe("");
    expect(readMotion({ robot: "gate-1", actuator: "latch", motion: { switch: { on: true } } })?.motion).toEqual({
      kind: "switch",
      on: true,
    });
    for (const other of [
      { ...GOAL, motion: { path: { points_m: [[0, 0, 0]] } } },
      { ...GOAL, motion: { pose_goal: { position_m: [0, 0] } } },
      { ...GOAL, motion: { pose_goal: { position_m: [0, 0, "x"] } } },
      { ...GOAL, motion: {} },
      { ...GOAL, robot: 7 },
      "text",
      null,
    ])
      expect(readMotion(other)).toBeNull();
  });

  it("write what was read, and keep what they do not show", () => {
    const read = readMotion(GOAL);
    if (read === null) throw new Error("it has fields");
    expect(writeMotion(GOAL, read)).toEqual(GOAL);
    const moved = writeMotion(GOAL, {
      ...read,
      motion: { kind: "pose_goal", position_m: [0, 0.3, 1], speed_mps: null },
    });
    expect(moved).toEqual({
      ...GOAL,
      motion: { pose_goal: { position_m: [0, 0.3, 1], orientation: [0, 0, 0, 1] } },
    });
    expect(writeMotion(GOAL, { ...read, motion: newMotion("gripper", null) })).toMatchObject({
      force_n: 5,
      motion: { gripper: { opening_m: 0 } },
    });
  });
});
