import { describe, expect, it } from "vitest";
import type { SceneVolume } from "./scene-model";
import type { Vec3 } from "./transform";
import { violatedFaces } from "./violated-faces";

const BOX = { robot: "arm-1", constraint: "c", min_m: [-0.5, -0.6, 0] as Vec3, max_m: [1, 0.6, 1.2] as Vec3 };
const WORKSPACE: SceneVolume = { kind: "workspace", ...BOX };
const worst = (point_m: Vec3, nearest_m: Vec3 | null = null) => ({ point_m, nearest_m, depth: "" });

describe("U-1102 the face of a limit that a denied motion violates", () => {
  it("is the one beyond which it ends, as far as its body and margins would reach", () =>
    expect(violatedFaces(WORKSPACE, worst([2, 0, 1], [0.91, 0, 1]), true)).toEqual([
      { axis: 0, at_m: 1, to_m: expect.closeTo(2.09, 9) },
    ]));

  it("is each of several, and also one that only the body would cross", () => {
    expect(violatedFaces(WORKSPACE, worst([-1, 0, 1.5]), true)).toEqual([
      { axis: 0, at_m: -0.5, to_m: -1 },
      { axis: 2, at_m: 1.2, to_m: 1.5 },
    ]);
    expect(violatedFaces(WORKSPACE, worst([0, -0.55, 1], [0, -0.5, 1]), true)).toEqual([
      { axis: 1, at_m: -0.6, to_m: expect.closeTo(-0.65, 9) },
    ]);
  });

  it("is told by where the motion ends alone if other limits are violated too", () =>
    expect(violatedFaces(WORKSPACE, worst([0.9, 0, 1], [0.2, 0, 1]), false)).toEqual([]));

  it("of a box to keep out of is the one towards the nearest allowed point; what is beyond is its inside", () => {
    const box: SceneVolume = { kind: "keep_out_box", ...BOX };
    expect(violatedFaces(box, worst([0, 0.5, 1], [0, 0.7, 1]), true)).toEqual([{ axis: 1, at_m: 0.6, to_m: null }]);
    expect(violatedFaces(box, worst([-0.4, 0.1, 1], [-0.6, 0, 1]), true)).toEqual([
      { axis: 0, at_m: -0.5, to_m: null },
    ]);
  });

  it("is none of a limit that is no box, and without a place", () => {
    const zone: SceneVolume = {
      kind: "forbidden_zone",
      robot: null,
      constraint: "z",
      center_m: [0, 0, 0],
      radius_m: 1,
    };
    expect(violatedFaces(zone, worst([0, 0, 0], [1, 0, 0]), true)).toEqual([]);
    expect(violatedFaces(WORKSPACE, null, true)).toEqual([]);
  });
});
