import { describe, expect, it } from "vitest";
import { robotRow } from "../../../testing/fixtures";
import {
  kindsOf,
  namesExactly,
  newMotion,
  type Now,
  readMotion,
  WAYPOINTS_MAX,
  withJoints,
  writeMotion,
} from "./motion-input";
import { reordered, withAxis, withoutPoint, withPoint } from "./waypoints";

const JOINTS = [
  { name: "turn", unit: "rad", position: [-1.3, 1.3] as [number, number] },
  { name: "boom", unit: "m", position: [0.4, 2.8] as [number, number] },
];
const NOW: Now = { at_m: null, joints: JOINTS, positionOf: (joint) => (joint === "turn" ? 0.2 : null) };

const GOAL = {
  robot: "arm-1",
  actuator: "arm",
  force_n: 5,
  motion: { pose_goal: { position_m: [0.5, 0.2, 1], speed_mps: 0.1, orientation: [0, 0, 0, 1] } },
};

describe("ME-17 the fields of a motion", () => {
  it("show the motions that have some, and leave everything else as JSON", () => {
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
      { ...GOAL, motion: { velocity: { linear_mps: [0, 0, 0], angular_radps: [0, 0, 0] } } },
      { ...GOAL, motion: { path: { points_m: [] } } },
      { ...GOAL, motion: { path: { points_m: [[0, 0]] } } },
      { ...GOAL, motion: { path: { points_m: Array.from({ length: WAYPOINTS_MAX + 1 }, () => [0, 0, 0]) } } },
      { ...GOAL, motion: { joints: { names: ["turn"], positions_rad: [0, 1] } } },
      { ...GOAL, motion: { joints: { names: ["turn", "turn"], positions_rad: [0, 1] } } },
      { ...GOAL, motion: { joints: { names: ["turn"], positions_rad: ["0"] } } },
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
    expect(writeMotion(GOAL, { ...read, motion: newMotion("gripper", NOW) })).toMatchObject({
      force_n: 5,
      motion: { gripper: { opening_m: 0 } },
    });
  });

  it.each([
    {
      path: {
        points_m: [
          [0.4, 0, 0.3],
          [0.6, -0.1, 0.3],
        ],
        speed_mps: 0.02,
      },
    },
    { path: { points_m: [[1, 2, 3]] } },
    { joints: { names: ["turn", "boom"], positions_rad: [0.5, 1], speed_radps: 0.3 } },
    { joints: { positions_rad: [0], names: ["turn"] } },
  ])("write a path and a joint goal as they would be typed: %j", (motion) => {
    const typed = { actuator: "arm", robot: "arm-1", force_n: 5, motion };
    const read = readMotion(typed);
    if (read === null) throw new Error("it has fields");
    expect(JSON.stringify(writeMotion(typed, read))).toBe(JSON.stringify(typed));
  });

  it("begin a path where the robot is, and a joint goal where its joints are, within their limits", () => {
    expect(newMotion("path", { ...NOW, at_m: [0.3, 0, 0.8] })).toMatchObject({ points_m: [[0.3, 0, 0.8]] });
    expect(newMotion("joints", NOW)).toEqual({
      kind: "joints",
      names: ["turn", "boom"],
      positions_rad: [0.2, 0.4],
      speed_radps: 0.1,
    });
  });

  it("give a joint goal the joints of the part in their order, and keep the positions that it has", () => {
    const goal = { kind: "joints", names: ["boom", "wrist"], positions_rad: [1, 2], speed_radps: null } as const;
    expect(namesExactly(goal, JOINTS)).toBe(false);
    const named = withJoints(goal, JOINTS, NOW.positionOf);
    expect(named).toMatchObject({ names: ["turn", "boom"], positions_rad: [0.2, 1] });
    expect(namesExactly(named, JOINTS)).toBe(true);
    expect(namesExactly({ ...named, names: ["boom", "turn"] }, JOINTS)).toBe(false);
  });

  it("offer the motions of a part that have fields", () => {
    const motions = ["velocity", "joints", "pose_goal"];
    const robot = robotRow({ actuators: [{ id: "arm", kind: "tool", motions }] });
    expect(kindsOf(robot, "arm")).toEqual(["pose_goal", "joints"]);
    expect(kindsOf(robot, "no-such")).toEqual([]);
  });

  it("move, change and remove waypoints, and keep the last one", () => {
    const way = [
      [1, 0, 0],
      [2, 0, 0],
      [3, 0, 0],
    ] as const;
    expect(reordered(way, 0, 2).map(([x]) => x)).toEqual([2, 3, 1]);
    expect(reordered(way, 2, 0).map(([x]) => x)).toEqual([3, 1, 2]);
    expect(withPoint(way, 1, withAxis(way[1], 2, 9))[1]).toEqual([2, 0, 9]);
    expect(withoutPoint(way, 1).map(([x]) => x)).toEqual([1, 3]);
    expect(withoutPoint([[1, 0, 0]], 0)).toEqual([[1, 0, 0]]);
  });
});
