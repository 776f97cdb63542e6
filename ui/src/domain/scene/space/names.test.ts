import { describe, expect, it } from "vitest";
import type { SceneModel, SceneRobot } from "../flat/scene-model";
import { namesOf } from "./names";

const ROBOT: SceneRobot = {
  id: "arm-1",
  position_m: [1, 0, 1],
  heading_rad: null,
  body_radius_m: 0.1,
  freshness: "live",
  age: "0.1 s",
  simulated: true,
  base_m: null,
  stand_m: null,
  joints: {},
  trail_m: [],
  shape: "arm",
  look: "armed",
  speed_mps: null,
};
const MODEL: SceneModel = {
  frame: "map",
  robots: [ROBOT],
  volumes: [
    { kind: "workspace", robot: "arm-1", constraint: "w", min_m: [0, 0, 0], max_m: [2, 2, 2] },
    { kind: "forbidden_zone", robot: "rover-1", constraint: "z", center_m: [5, 5, 0], radius_m: 1 },
  ],
  drafts: [],
  goals: [],
  denial: null,
  decision: null,
  near: false,
  plan: null,
  has_maps: false,
  maps: [],
  outline: [],
  unplaced: [],
};
const texts = (change: Partial<SceneModel>, focus: string | null = null) =>
  namesOf({ ...MODEL, ...change }, focus).map(({ text }) => text);

describe("U-1606 what is written into a scene", () => {
  it("names robots and limits, those of one robot where only that is looked at", () => {
    expect(texts({})).toEqual(["arm-1 workspace", "forbidden zone", "arm-1"]);
    expect(texts({}, "arm-1")).toEqual(["arm-1 workspace", "arm-1"]);
  });

  it("U-509 says how long ago a robot was seen that is not current", () =>
    expect(texts({ robots: [{ ...ROBOT, freshness: "lost", age: "34 s" }] })).toContain("arm-1, last seen 34 s ago"));

  it("names how far a denied motion goes beyond, and what would be allowed, and only the limits it is about", () => {
    const denial = {
      path_m: [
        [0, 0, 1],
        [3, 0, 1],
      ] as const,
      worst: { point_m: [3, 0, 1] as const, nearest_m: [1.9, 0, 1] as const, depth: "1.1 m beyond" },
      constraints: ["w"],
    };
    expect(texts({ denial, robots: [] })).toEqual(["arm-1 workspace", "1.1 m beyond", "nearest allowed", "start"]);
  });
});
