import { describe, expect, it } from "vitest";
import type { ConstraintRow } from "../../../generated/bindings/ConstraintRow";
import { constraintRow, robotRow } from "../../../testing/fixtures";
import { isNear } from "../space/near";
import { boxCorners, fromOwn, placeBox, toOwn } from "./box";
import { edgesOf, hullOf, outlineOf } from "./outline";
import { outlineAt } from "./pick";
import { buildScene, type PlacedLimit, type SceneVolume } from "./scene-model";
import type { Vec3 } from "./transform";
import { sceneSentences } from "./twin";
import { violatedFaces } from "./violated-faces";

/** An eighth of a turn to the left, at (3, 2). */
const HALF = Math.PI / 8;
const robot = robotRow({
  transforms: [
    {
      parent: "map",
      child: "base_link",
      translation_m: [3, 2, 0],
      rotation_xyzw: [0, 0, Math.sin(HALF), Math.cos(HALF)],
    },
  ],
});
const WORKSPACE: ConstraintRow["constraint"] = { Workspace: { x: [-0.5, 0.5], y: [-0.5, 0.5], z: [0, 1] } };

/** The scene of an arm whose tool is at a place of its own frame. */
function scene(position_m: [number, number, number], constraint = WORKSPACE, drafts: PlacedLimit[] = [], of = robot) {
  const pose = { frame: "base_link", position_m, orientation: null };
  const sight = { freshness: "live", age: "", trail: [], look: "armed", speed_mps: null, joints: {} } as const;
  return buildScene([{ robot: of, pose, ...sight }], [constraintRow({ constraint, frame: "base_link" })], [], drafts);
}

const only = (volumes: readonly SceneVolume[]): Extract<SceneVolume, { kind: "workspace" }> => {
  const [volume] = volumes;
  if (volume?.kind !== "workspace") throw new Error("there is no workspace");
  return volume;
};
const SIZE = { width_px: 800, height_px: 800 };
const TOP = { side: "top", center: [3, 2], px_per_m: 100 } as const;

describe("U-1102 a limit in a turned frame", () => {
  it("is drawn as it is, not as the box around it", () => {
    const outline = outlineOf(only(scene([0, 0, 0.5]).volumes), TOP, SIZE);
    expect(outline).toHaveLength(4);
    for (const [[ax, ay], [bx, by]] of edgesOf(outline)) expect(Math.hypot(bx - ax, by - ay)).toBeCloseTo(100);
    // Its corners point along the axes of the site.
    expect(Math.min(...outline.map(([x]) => x))).toBeCloseTo(400 - 50 * Math.SQRT2);
  });

  it("U-2004 is told in words by its own faces", () => {
    expect(sceneSentences(scene([0.92, 0, 0.5]))[0]).toContain("0.42 m beyond x max of its workspace");
    expect(sceneSentences(scene([0.4, 0, 0.5]))[0]).toContain("0.10 m inside x max of its workspace");
    const box = { KeepOutBox: { min: [1, -1, 0], max: [2, 1, 1] } } as ConstraintRow["constraint"];
    expect(sceneSentences(scene([0.8, 0, 0.5], box))[0]).toContain("0.20 m from a keep-out box");
  });

  it("U-1107 is told in words as it lies while it is written", () => {
    const wordsOf = (constraint: ConstraintRow["constraint"], of = robot) =>
      sceneSentences(
        scene([0, 0, 0.5], WORKSPACE, [{ id: "draft", frame: "base_link", robot: of.id, constraint }], of),
      ).find((sentence) => sentence.startsWith("draft"));
    expect(wordsOf(WORKSPACE)).toBe(
      "draft of a workspace of 1.00 × 1.00 × 1.00 m around (3.00, 2.00, 0.50) m in map, turned by 45.0° about z",
    );
    expect(wordsOf({ KeepOutBox: { min: [1, -1, 0], max: [2, 1, 1] } })).toMatch(
      /^draft of a keep-out box of 1\.00 × 2\.00 × 1\.00 m around \(4\.06, 3\.06, 0\.50\) m in map, turned by 45\.0°/u,
    );
    const tilted = robotRow({
      transforms: [
        {
          parent: "map",
          child: "base_link",
          translation_m: [0, 0, 0],
          rotation_xyzw: [0, Math.sin(HALF), 0, Math.cos(HALF)],
        },
      ],
    });
    expect(wordsOf(WORKSPACE, tilted)).toContain("in map, turned by 0.0° about z and tilted by 45.0°");
  });

  it("is pressed on where it is drawn", () => {
    const corners = outlineOf(only(scene([0, 0, 0.5]).volumes), TOP, SIZE);
    const field = { id: "field", round: false, corners } as const;
    const [[ax, ay], [bx, by]] = edgesOf(corners)[0] ?? [[0, 0] as const, [0, 0] as const];
    expect(outlineAt([field], [(ax + bx) / 2, (ay + by) / 2])).toBe("field");
    // A corner of the box around it.
    expect(outlineAt([field], [400 - 50 * Math.SQRT2, 400 - 50 * Math.SQRT2])).toBeNull();
  });

  it("is violated through its own faces, and near as it is", () => {
    const model = scene([0, 0, 0.5]);
    const workspace = only(model.volumes);
    const point_m = fromOwn(workspace, [0.9, 0, 0.5]);
    expect(violatedFaces(workspace, { point_m, nearest_m: null, depth: "" }, true)).toEqual([
      { axis: 0, at_m: 0.5, to_m: expect.closeTo(0.9, 9) },
    ]);
    expect(isNear(workspace, model.robots)).toBe(false);
    expect(isNear(workspace, scene([0.4, 0, 0.5]).robots)).toBe(true);
  });

  it("finds the way into its own frame and back", () => {
    const workspace = only(scene([0, 0, 0.5]).volumes);
    const point: Vec3 = [0.3, -0.2, 0.7];
    for (const [axis, value] of toOwn(workspace, fromOwn(workspace, point)).entries())
      expect(value).toBeCloseTo(point[axis] ?? Number.NaN, 9);
    expect(boxCorners(workspace)).toHaveLength(8);
  });

  it("has no place where nothing says where its frame is", () =>
    expect(placeBox({ min_m: [0, 0, 0], max_m: [1, 1, 1] }, () => null)).toBeNull());
});

describe("the edge around spots", () => {
  it("leaves out what lies within, and on its edges", () =>
    expect(
      hullOf([
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
        [2, 2],
        [2, 0],
      ]),
    ).toHaveLength(4));
  it("of a line is its two ends", () =>
    expect(
      hullOf([
        [0, 0],
        [2, 2],
        [4, 4],
        [0, 0],
      ]),
    ).toEqual([
      [0, 0],
      [4, 4],
    ]));
});
