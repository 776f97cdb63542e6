import { describe, expect, it } from "vitest";
import type { RawCommand } from "../../../generated/bindings/RawCommand";
import { constraintRow, robotRow } from "../../../testing/fixtures";
import { type DeniedMotion, deniedScene } from "./denied-scene";
import { fit, toSpot } from "./view";

const WORKSPACE = constraintRow({ id: "w", constraint: { Workspace: { x: [-1, 1], y: [-1, 1], z: [0, 1.5] } } });

function goal(position_m: number[], frame?: string): RawCommand {
  return {
    robot: "arm-1",
    actuator: "arm",
    ...(frame === undefined ? {} : { frame }),
    motion: { pose_goal: { position_m } },
  };
}

function denied(change: Partial<DeniedMotion> = {}): DeniedMotion {
  return {
    command: goal([2, 0, 1]),
    start: { frame: "base_link", position_m: [0.3, 0, 0.8], orientation: null },
    frame: "base_link",
    worst: { point_m: [2, 0, 1], nearest_m: [0.91, 0, 1], depth: "1.09 m beyond" },
    constraints: ["w"],
    ...change,
  };
}

const sceneOf = (change: Partial<DeniedMotion> = {}) => deniedScene(robotRow(), [WORKSPACE], denied(change));

describe("U-1606 the scene of a denial", () => {
  it("holds the way, its worst point, the nearest allowed one and the limit, in one frame", () => {
    const scene = sceneOf();
    expect(scene?.denial).toEqual({
      path_m: [
        [3.3, 2, 0.8],
        [5, 2, 1],
      ],
      worst: { point_m: [5, 2, 1], nearest_m: [3.91, 2, 1], depth: "1.09 m beyond" },
      constraints: ["w"],
    });
    expect([scene?.volumes.map(({ constraint }) => constraint), scene?.robots]).toEqual([["w"], []]);
  });

  it("takes the frame of the command", () =>
    expect(sceneOf({ command: goal([4, 2, 1], "map") })?.denial?.path_m[1]).toEqual([4, 2, 1]));

  it("draws no way from where nobody saw the robot", () =>
    expect(sceneOf({ start: null })?.denial?.path_m).toEqual([[5, 2, 1]]));

  it("leads to the worst point where the command is not at hand", () =>
    expect(sceneOf({ command: null })?.denial?.path_m).toEqual([
      [3.3, 2, 0.8],
      [5, 2, 1],
    ]));

  it.each([[[Number.NaN, 0, 1]], [[2, 0]], [[2, 0, 1, 0]]])("does not draw a goal of %j", (position_m) =>
    expect(sceneOf({ command: goal(position_m), worst: null })).toBeNull(),
  );

  it("is none where nothing has a place", () => expect(sceneOf({ command: null, worst: null })).toBeNull());

  it("is wholly in sight", () => {
    const scene = sceneOf();
    if (!scene?.denial?.worst?.nearest_m) throw new Error("the scene has no denial");
    const size = { width_px: 350, height_px: 190 };
    for (const side of ["top", "side"] as const) {
      const camera = fit(scene, size, side, "arm-1");
      for (const point of [...scene.denial.path_m, scene.denial.worst.point_m, scene.denial.worst.nearest_m]) {
        const [x, y] = toSpot(camera, size, point);
        expect(x >= 0 && x <= 350 && y >= 0 && y <= 190).toBe(true);
      }
    }
  });
});
