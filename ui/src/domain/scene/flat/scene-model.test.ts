import { describe, expect, it } from "vitest";
import type { ConstraintRow } from "../../../generated/bindings/ConstraintRow";
import { proposal, robotRow } from "../../../testing/fixtures";
import { buildScene, type RobotSight } from "./scene-model";
import { rotate, toFrame } from "./transform";
import { sceneSentences } from "./twin";
import { fit, flatten, scaleBarM, toSpot } from "./view";

function sight(change: Partial<RobotSight> = {}): RobotSight {
  const pose = { frame: "base_link", position_m: [0.42, -0.1, 0.86] as [number, number, number], orientation: null };
  return {
    robot: robotRow(),
    pose,
    freshness: "live",
    age: "0.1 s",
    trail: [[pose]],
    look: "armed",
    speed_mps: null,
    joints: {},
    ...change,
  };
}

function limit(constraint: ConstraintRow["constraint"]): ConstraintRow {
  return {
    constraint,
    id: "con-1",
    scope: "manifest",
    frame: "base_link",
    unit: "m",
    version: 1,
    robot: "arm-1",
    mission: null,
  };
}

const WORKSPACE = limit({ Workspace: { x: [-1, 1], y: [-1, 1], z: [0, 1.5] } });
const KEEP_OUT = limit({ KeepOutBox: { min: [0.5, -0.5, 0], max: [0.9, 0.5, 1] } });
const ZONE = limit({ ForbiddenZone: { center: [0.42, 0.9, 0.86], radius: 0.5 } });

describe("U-2308 the scene model", () => {
  it("places a tool through its robot's frames", () => {
    const [robot] = buildScene([sight()], [], []).robots;
    expect(robot?.position_m).toEqual([3.42, 1.9, 0.86]);
    expect(robot?.base_m).toEqual([3, 2, 0]);
  });

  it("places limits and the goal of an open proposal in the same frame", () => {
    const model = buildScene([sight()], [WORKSPACE, KEEP_OUT, ZONE], [proposal()]);
    expect(model.volumes).toEqual([
      { kind: "workspace", robot: "arm-1", constraint: "con-1", min_m: [2, 1, 0], max_m: [4, 3, 1.5] },
      { kind: "keep_out_box", robot: "arm-1", constraint: "con-1", min_m: [3.5, 1.5, 0], max_m: [3.9, 2.5, 1] },
      { kind: "forbidden_zone", robot: "arm-1", constraint: "con-1", center_m: [3.42, 2.9, 0.86], radius_m: 0.5 },
    ]);
    expect(model.goals).toEqual([
      {
        robot: "arm-1",
        from_m: [3.3, 2, 0.8],
        to_m: [3.5, 2.2, 1],
        path_m: [
          [3.3, 2, 0.8],
          [3.5, 2.2, 1],
        ],
        body_radius_m: 0.05,
        duration_s: 1.7,
      },
    ]);
  });

  it("keeps the steps of the way, not the standing still", () => {
    const at = (x: number) => ({
      frame: "base_link",
      position_m: [x, 0, 0] as [number, number, number],
      orientation: null,
    });
    const [robot] = buildScene([sight({ trail: [[at(0), at(0.001), at(0.1), at(0.1), at(0.2)]] })], [], []).robots;
    expect(robot?.trail_m.map((stretch) => stretch.map(([x]) => x))).toEqual([[3, 3.1, 3.2]]);
  });

  it.each([
    [
      "a pose that is not a number",
      sight({ pose: { frame: "base_link", position_m: [Number.NaN, 0, 0], orientation: null } }),
    ],
    ["a frame nobody knows", sight({ pose: { frame: "moon", position_m: [0, 0, 0], orientation: null } })],
    ["no pose", sight({ pose: null })],
  ])("draws no robot with %s, and says so", (_what, unplaced) => {
    const model = buildScene([unplaced], [], []);
    expect([model.robots, model.unplaced]).toEqual([[], ["arm-1"]]);
  });

  it("U-1107 says of which robots it does not draw every limit", () => {
    const elsewhere = { ...WORKSPACE, frame: "moon" };
    const model = buildScene([sight()], [elsewhere], [], [], null, [], ["rover-1"]);
    expect([model.volumes, model.undrawn_limits]).toEqual([[], ["rover-1", "arm-1"]]);
    expect(sceneSentences(model)).toContain("Not all limits of arm-1 are drawn here: they are in force all the same.");
    expect(buildScene([sight()], [WORKSPACE, limit({ MaxVelocity: 1 })], []).undrawn_limits).toBeUndefined();
  });

  it("gives up on a loop of frames", () => {
    const loop = [{ parent: "a", child: "a", translation_m: [1, 0, 0], rotation_xyzw: [0, 0, 0, 1] }] as const;
    expect(toFrame([...loop] as never, "a", "map", [0, 0, 0])).toBeNull();
  });

  it("turns a point by a quarter about z", () => {
    const [x, y] = rotate([0, 0, Math.SQRT1_2, Math.SQRT1_2], [1, 0, 0]);
    expect(x).toBeCloseTo(0);
    expect(y).toBeCloseTo(1);
  });
});

describe("U-1102 the flat scene", () => {
  it.each([
    ["top", [1, 2]],
    ["front", [1, 3]],
    ["side", [2, 3]],
  ] as const)("shows from the %s the coordinates %j", (side, shown) => expect(flatten(side, [1, 2, 3])).toEqual(shown));
});

describe("U-2004 the scene in words", () => {
  it("says where a robot is and how near its limits are", () =>
    expect(sceneSentences(buildScene([sight()], [WORKSPACE, ZONE], []))).toEqual([
      "arm-1 at (3.42, 1.90, 0.86) m in map; 0.58 m inside x max of its workspace; 0.50 m from a forbidden zone",
    ]));

  it("says how near a keep-out box is, and how deep a robot is in one", () => {
    const inside = limit({ KeepOutBox: { min: [0.4, -0.5, 0], max: [0.9, 0.5, 1] } });
    expect(sceneSentences(buildScene([sight()], [KEEP_OUT, inside], []))).toEqual([
      "arm-1 at (3.42, 1.90, 0.86) m in map; 0.08 m from a keep-out box; 0.02 m inside a keep-out box",
    ]);
  });

  it("never gives a distance for a robot that is only last seen", () =>
    expect(sceneSentences(buildScene([sight({ freshness: "stale", age: "34 s" })], [WORKSPACE], []))).toEqual([
      "arm-1 last seen 34 s ago at (3.42, 1.90, 0.86) m in map",
    ]));

  it("names everything that is drawn", () => {
    const model = buildScene([sight()], [WORKSPACE], [proposal()]);
    const text = sceneSentences(model).join("\n");
    for (const robot of model.robots) expect(text).toContain(robot.id);
    expect(text).toContain("would go to (3.50, 2.20, 1.00) m");
  });
});

describe("U-1601 a limit that is being written", () => {
  const draft = { ...ZONE, id: "draft" };
  const model = buildScene([sight()], [], [], [draft]);
  it("is placed apart from what is in force", () =>
    expect([model.volumes, model.drafts]).toEqual([
      [],
      [{ kind: "forbidden_zone", robot: "arm-1", constraint: "draft", center_m: [3.42, 2.9, 0.86], radius_m: 0.5 }],
    ]));
  it("U-2004 is named in words", () =>
    expect(sceneSentences(model)).toContain("draft of a forbidden zone of 0.50 m around (3.42, 2.90, 0.86) m in map"));
});

describe("the view", () => {
  const size = { width_px: 400, height_px: 300 };
  it("fits a robot and its limits into the canvas", () => {
    const model = buildScene([sight()], [WORKSPACE, ZONE], [proposal()]);
    for (const side of ["top", "side"] as const) {
      const camera = fit(model, size, side, "arm-1");
      for (const corner of [
        [2, 1, 0],
        [4, 3, 1.5],
      ] as const) {
        const [x, y] = toSpot(camera, size, corner);
        expect(x >= 0 && x <= 400 && y >= 0 && y <= 300).toBe(true);
      }
    }
  });
  it.each([
    [40, 120, 2],
    [200, 120, 0.5],
    [1_000, 120, 0.1],
    [7, 120, 10],
  ])("at %s px per m and %s px the scale bar is %s m", (px_per_m, max_px, length_m) =>
    expect(scaleBarM(px_per_m, max_px)).toBeCloseTo(length_m),
  );
});
