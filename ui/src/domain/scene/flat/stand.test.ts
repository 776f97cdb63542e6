import { describe, expect, it } from "vitest";
import { robotRow } from "../../../testing/fixtures";
import { buildScene, type RobotSight } from "./scene-model";

const ARM = robotRow();

function sight(change: Partial<RobotSight>): RobotSight {
  return {
    robot: ARM,
    pose: { frame: "map", position_m: [5, 1, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
    freshness: "live",
    age: "",
    trail: [],
    look: "armed",
    speed_mps: null,
    joints: { turn: 0.5 },
    ...change,
  };
}

describe("U-1103 where the body of a robot stands", () => {
  it("is the default frame of an arm, wherever its tool is", () => {
    const [robot] = buildScene([sight({})], [], []).robots;
    expect(robot?.stand_m).toEqual([
      [3, 2, 0],
      [4, 2, 0],
      [3, 3, 0],
    ]);
    expect(robot?.joints).toEqual({ turn: 0.5 });
  });

  it("is the pose of a robot that drives, turned as it is", () => {
    const rover = robotRow({
      id: "rover-1",
      default_frame: "map",
      transforms: [],
      actuators: [{ id: "base", kind: "base", motions: ["pose_goal"] }],
    });
    const [robot] = buildScene([sight({ robot: rover })], [], []).robots;
    const rounded = robot?.stand_m?.map((point) => point.map((value) => Math.round(value * 1e9) / 1e9 + 0));
    expect(rounded).toEqual([
      [5, 1, 0],
      [5, 2, 0],
      [4, 1, 0],
    ]);
  });
});
