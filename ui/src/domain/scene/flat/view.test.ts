import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frameOf } from "./frame";
import type { SceneModel, SceneRobot } from "./scene-model";
import type { Vec3 } from "./transform";
import { type Camera, fit, keepFitted, nearTo, pan, pointAt, pointsInSight, sideShowing, toSpot, zoomAt } from "./view";

const SIZE = { width_px: 800, height_px: 600 };

const camera: fc.Arbitrary<Camera> = fc.record({
  side: fc.constantFrom("top", "front", "side"),
  center: fc.tuple(fc.double({ min: -50, max: 50, noNaN: true }), fc.double({ min: -50, max: 50, noNaN: true })),
  px_per_m: fc.double({ min: 5, max: 500, noNaN: true }),
});
const spot = fc.tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 600 }));
const place = fc.double({ min: -30, max: 30, noNaN: true });

function robot(id: string, x: number, y: number): SceneRobot {
  return {
    id,
    position_m: [x, y, 0],
    heading_rad: 0,
    body_radius_m: 0.3,
    freshness: "live",
    age: "",
    simulated: true,
    base_m: null,
    stand_m: null,
    joints: {},
    trail_m: [],
    shape: "rover",
    look: "armed",
    speed_mps: 0,
  };
}

function site(robots: readonly SceneRobot[]): SceneModel {
  return {
    frame: "map",
    plan: null,
    has_maps: false,
    maps: [],
    outline: [],
    robots,
    volumes: [],
    drafts: [],
    goals: [],
    denial: null,
    decision: null,
    near: false,
    unplaced: [],
  };
}

function allInSight(shown: Camera, model: SceneModel): boolean {
  const { left, top, right, bottom } = frameOf(SIZE);
  return pointsInSight(model, null)
    .map((point) => toSpot(shown, SIZE, point))
    .every(([x, y]) => x >= left && x <= right && y >= top && y <= bottom);
}

describe("U-1102 zoom and pan", () => {
  it("what is under the pointer stays there, however much is zoomed", () => {
    fc.assert(
      fc.property(camera, spot, fc.double({ min: 0.2, max: 5, noNaN: true }), (before, at, factor) => {
        const held = pointAt(before, SIZE, at);
        const after = pointAt(zoomAt(before, SIZE, at, factor), SIZE, at);
        expect(Math.hypot(after[0] - held[0], after[1] - held[1])).toBeLessThan(1e-6);
      }),
    );
  });

  it("a drag leaves what was pressed under the pointer", () => {
    fc.assert(
      fc.property(camera, spot, spot, (before, from, to) => {
        const held = pointAt(before, SIZE, from);
        const after = pointAt(pan(before, from[0] - to[0], to[1] - from[1]), SIZE, to);
        expect(Math.hypot(after[0] - held[0], after[1] - held[1])).toBeLessThan(1e-6);
      }),
    );
  });

  it("everything is inside the border of a scene that fits it", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 8 }), (places) => {
        const model = site(places.map(([x, y], index) => robot(`rover-${index}`, x, y)));
        expect(allInSight(fit(model, SIZE, "top", null), model)).toBe(true);
      }),
    );
  });

  it("the view stands still while robots move inside it, and goes after one that leaves", () => {
    const before = site([robot("rover-1", 0, 0), robot("rover-2", 6, 4)]);
    const shown = fit(before, SIZE, "top", null);
    expect(keepFitted(shown, site([robot("rover-1", 1, 1), robot("rover-2", 6, 4)]), SIZE, null)).toBe(shown);
    const gone = site([robot("rover-1", -9, 0), robot("rover-2", 6, 4)]);
    const next = keepFitted(shown, gone, SIZE, null);
    expect(next).not.toBe(shown);
    expect(allInSight(next, gone)).toBe(true);
  });

  it("comes nearer again once everything stands close together", () => {
    const wide = fit(site([robot("rover-1", -9, 0), robot("rover-2", 9, 4)]), SIZE, "top", null);
    const close = site([robot("rover-1", 0, 0), robot("rover-2", 1, 0)]);
    expect(keepFitted(wide, close, SIZE, null).px_per_m).toBeGreaterThan(wide.px_per_m);
  });
});

it.each([
  ["along the floor", [1, 2, 0], "top"],
  ["up and across", [0.5, 0, 2], "front"],
  ["up and along", [0, 0.5, 2], "side"],
] as const)("FU-07 a motion %s is seen from the side that shows it", (_what, to_m, side) =>
  expect(sideShowing([0, 0, 0], to_m)).toBe(side),
);

describe("U-1601 the view of a limit that is taken hold of", () => {
  const size = { width_px: 800, height_px: 600 };
  const shown: Camera = { side: "top", center: [0, 0], px_per_m: 40 };
  const box = (x: number, width_m: number): Vec3[] => [
    [x, 0, 0],
    [x + width_m, width_m, 0],
  ];
  const widthOf = (camera: Camera, points: Vec3[]) => {
    const [[left] = [0], [right] = [0]] = points.map((point) => toSpot(camera, size, point));
    return right - left;
  };

  it("stays where the limit is large enough and in sight", () => expect(nearTo(shown, size, box(1, 4))).toBe(shown));

  it("comes nearer to a small one, which keeps its surroundings", () => {
    const width_px = widthOf(nearTo(shown, size, box(1, 0.5)), box(1, 0.5));
    expect([width_px > 120, width_px < 400]).toEqual([true, true]);
  });

  it("goes to one out of sight, and back from one that is larger than the view", () => {
    for (const points of [box(40, 4), box(-20, 40)]) {
      const seen = points.map((point) => toSpot(nearTo(shown, size, points), size, point));
      expect(seen.every(([x, y]) => x > 0 && x < 800 && y > 0 && y < 600)).toBe(true);
    }
  });
});
