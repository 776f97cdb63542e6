import { describe, expect, it } from "vitest";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { buildScene, inWords, type SceneModel } from "./scene-model";
import { areasAt, placePlan } from "./scene-plan";
import { sceneSentences } from "./twin";
import { fit, toSpot } from "./view";

const SIZE = { width_px: 800, height_px: 600 };

function square(side_m: number): [number, number][] {
  return [
    [0, 0],
    [side_m, 0],
    [side_m, side_m],
    [0, side_m],
  ];
}

const L_SHAPE: [number, number][] = [
  [0, 0],
  [4, 0],
  [4, 1],
  [1, 1],
  [1, 3],
  [0, 3],
];

function plan(side_m: number, frame = "map"): SitePlan {
  return { frame, walls: [square(side_m)], areas: [{ name: "dock", corners: L_SHAPE }] };
}

function scene(of: SitePlan | null): SceneModel {
  const model = buildScene([], [], [], [], of);
  const robot = { id: "rover-1", position_m: [0.5, 2, 0], body_radius_m: 0.35, freshness: "live", age: "" } as const;
  const rest = {
    heading_rad: 0,
    simulated: true,
    base_m: null,
    stand_m: null,
    joints: {},
    trail_m: [],
    shape: "base",
    look: "idle",
    speed_mps: null,
  };
  return { ...model, robots: [{ ...robot, ...rest } as SceneModel["robots"][number]] };
}

describe("U-1112 the site plan of a scene", () => {
  it("U-1112 is drawn in its own frame only", () => {
    expect(placePlan(plan(8), "map")?.bounds_m).toEqual([
      [0, 0, 0],
      [8, 8, 0],
    ]);
    expect(placePlan(plan(8, "odom"), "map")).toBeNull();
    expect(placePlan({ frame: "map", walls: [], areas: [] }, "map")).toBeNull();
  });

  it("U-1112 is in sight as a whole while robots stay large, and otherwise only around them", () => {
    const whole = fit(scene(plan(12)), SIZE, "top", null);
    for (const corner of [
      [0, 0, 0],
      [12, 12, 0],
    ] as const) {
      const [x, y] = toSpot(whole, SIZE, corner);
      expect(x > 0 && x < SIZE.width_px && y > 0 && y < SIZE.height_px, corner.join(" ")).toBe(true);
    }
    const without = fit(scene(null), SIZE, "top", null);
    expect(whole.px_per_m).toBeLessThan(without.px_per_m);
    expect(fit(scene(plan(500)), SIZE, "top", null)).toEqual(without);
    expect(fit(scene(plan(12)), SIZE, "top", "rover-1")).toEqual(fit(scene(null), SIZE, "top", "rover-1"));
    expect(fit(scene(plan(12)), SIZE, "front", null)).toEqual(fit(scene(null), SIZE, "front", null));
  });

  it("U-1112 is told apart by a key, so that its points are not compared in every frame", () => {
    const [one, other] = [plan(8), plan(8)];
    expect(inWords(scene(one), 0)).toBe(inWords(scene(one), 0));
    expect(inWords(scene(one), 0)).not.toBe(inWords(scene(other), 0));
    expect(inWords(scene(one), 0)).not.toContain("dock");
  });

  it("U-1107 U-1112 names in words the area that a robot is in, and says that the plan limits nothing", () => {
    const placed = placePlan(plan(8), "map");
    expect(areasAt(placed, [0.5, 2, 0])).toEqual(["dock"]);
    expect(areasAt(placed, [3, 2, 0])).toEqual([]);
    const sentences = sceneSentences(scene(plan(8)));
    expect(sentences[0]).toContain("in dock");
    expect(sentences.at(-1)).toMatch(/dock.*limits no robot/);
  });
});
