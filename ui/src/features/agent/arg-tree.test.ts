import { expect, it } from "vitest";
import { treeOf } from "./arg-tree";

it("U-2201 arguments that nobody knows are a tree of names and values", () => {
  const lines = treeOf({
    robot: "arm-1",
    motion: { pose_goal: { position_m: [0.5, 0.2, 1], speed_mps: 0.1 } },
    path: [{ x: 1 }],
    none: null,
  });
  expect(lines.map(({ depth, name, text }) => [depth, name, text])).toEqual([
    [0, "robot", "arm-1"],
    [0, "motion", null],
    [1, "pose_goal", null],
    [2, "position_m", "[0.5, 0.2, 1]"],
    [2, "speed_mps", "0.1"],
    [0, "path", null],
    [1, "0", null],
    [2, "x", "1"],
    [0, "none", "null"],
  ]);
});

it("U-2309 a tree that is too long is cut", () =>
  expect([treeOf(Array.from({ length: 1_000 }, (_, id) => ({ id }))).length, treeOf({}).length]).toEqual([200, 0]));
