import { describe, expect, it } from "vitest";
import { numbersIn, withNumbers } from "./input-numbers";

const MOVE = {
  robot: "arm-1",
  actuator: "arm",
  force_n: 5,
  motion: { pose_goal: { position_m: [0.5, 0.2, 1], speed_mps: 0.1 } },
};
const PATH = {
  robot: "arm-1",
  actuator: "arm",
  motion: {
    path: {
      points_m: [
        [0, 0, 1],
        [0.1, 0, 1],
      ],
      speed_mps: 0.1,
    },
  },
};

describe("the numbers of an input", () => {
  it("have names, units and places", () =>
    expect(numbersIn(MOVE).map(({ path, label, unit, value }) => [path, label, unit, value])).toEqual([
      ["force_n", "force", "N", 5],
      ["motion.pose_goal.position_m[0]", "position x", "m", 0.5],
      ["motion.pose_goal.position_m[1]", "position y", "m", 0.2],
      ["motion.pose_goal.position_m[2]", "position z", "m", 1],
      ["motion.pose_goal.speed_mps", "speed", "m/s", 0.1],
    ]));

  it("are told apart in a path", () =>
    expect(numbersIn(PATH)[3]).toMatchObject({ path: "motion.path.points_m[1][0]", label: "points point 2 x" }));

  it("of joints are called like the joints", () => {
    const joints = { names: ["shoulder", "elbow"], positions_rad: [0.1, 0.2], speed_radps: 0.5 };
    expect(numbersIn({ motion: { joints } }).map(({ label, unit }) => [label, unit])).toEqual([
      ["shoulder", "rad"],
      ["elbow", "rad"],
      ["speed", "rad/s"],
    ]);
  });

  it("of a list without names are counted, not called after axes", () =>
    expect(numbersIn({ gains_n: [1, 2] }).map(({ label }) => label)).toEqual(["gains 1", "gains 2"]));

  it("are changed alone", () => {
    const changed = withNumbers(MOVE, new Map([["motion.pose_goal.position_m[2]", 0.9]]));
    expect(changed).toEqual({ ...MOVE, motion: { pose_goal: { position_m: [0.5, 0.2, 0.9], speed_mps: 0.1 } } });
  });

  it("are unchanged by nothing", () => expect(withNumbers(PATH, new Map())).toEqual(PATH));
});
