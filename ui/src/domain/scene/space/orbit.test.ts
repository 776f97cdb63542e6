import { describe, expect, it } from "vitest";
import type { Vec3 } from "../flat/transform";
import { around, eyeOf, FIELD_RAD, keptAround, nearer, seenFrom, turned } from "./orbit";

const CUBE: Vec3[] = [
  [1, 1, 0],
  [3, 3, 2],
];

describe("U-1103 the eye of the scene", () => {
  it.each([0.5, 1, 2.5])("sees all of it in a picture %d times as wide as high", (aspect) => {
    const orbit = around(CUBE, aspect);
    for (const point of CUBE) {
      const { right_m, up_m, towards_m } = seenFrom(orbit, point);
      const half_m = (orbit.distance_m - towards_m) * Math.tan(FIELD_RAD / 2);
      expect([Math.abs(up_m) < half_m, Math.abs(right_m) < half_m * aspect]).toEqual([true, true]);
    }
  });

  it("stands still while it sees all of it, and follows what leaves or shrinks", () => {
    const shown = around(CUBE, 1);
    const stepped: Vec3[] = [
      [1, 1, 0],
      [3.02, 3, 2],
    ];
    expect(keptAround(shown, stepped, 1)).toBe(shown);
    const far: Vec3[] = [...CUBE, [30, 3, 2]];
    expect(keptAround(shown, far, 1)).toEqual(around(far, 1));
    expect(keptAround(around(far, 1), CUBE, 1)).toEqual(shown);
    expect(keptAround(null, CUBE, 1)).toEqual(shown);
  });

  it("stands above the ground and looks along x", () => {
    const [x, , z] = eyeOf(around(CUBE, 1));
    expect([x < 2, z > 1]).toEqual([true, true]);
  });

  it("has somewhere to stand where there is nothing, or only one point", () => {
    for (const points of [[], [[5, 5, 5] as const]]) expect(eyeOf(around(points, 1)).every(Number.isFinite)).toBe(true);
  });

  it("turns, but never over the top, and keeps its distance", () => {
    const orbit = turned(around(CUBE, 1), 1, 100);
    expect(orbit.elevation_rad).toBeLessThan(Math.PI / 2);
    expect(Math.hypot(...eyeOf(orbit).map((value, axis) => value - (orbit.target_m[axis] ?? 0)))).toBeCloseTo(
      orbit.distance_m,
    );
  });

  it("comes near, and never into the point", () =>
    expect([nearer(around(CUBE, 1), 1e9).distance_m, nearer(around(CUBE, 1), 1e-9).distance_m]).toEqual([0.2, 500]));
});
