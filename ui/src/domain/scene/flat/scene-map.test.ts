import { describe, expect, it } from "vitest";
import { robotRow } from "../../../testing/fixtures";
import type { SeenMap } from "../maps/map-loader";
import { paint } from "./draw-maps";
import { placeMap } from "./scene-map";

/** Three cells by two of half a metre; the left column is unknown. */
const MAP: SeenMap = {
  robot: "rover-1",
  observed_mono_ms: 1,
  grid: { frame: "map", resolution_m: 0.5, width_cells: 3, height_cells: 2, origin_m: [1, 2], yaw_rad: 0 },
  cells: Uint8Array.from([255, 0, 100, 255, 10, 80]),
};

const robot = robotRow({ id: "rover-1", default_frame: "map", transforms: [] });

describe("U-1102 a robot's map in a scene", () => {
  it("lies where its message says, in cells of its size", () => {
    const placed = placeMap(MAP, [robot], "map");
    expect(placed).toMatchObject({ corner_m: [1, 2, 0], along_m: [1.5, 2, 0], up_m: [1, 2.5, 0] });
  });

  it("turns with its origin", () => {
    const turned = { ...MAP, grid: { ...MAP.grid, yaw_rad: Math.PI / 2 } };
    const placed = placeMap(turned, [robot], "map");
    const [x = NaN, y = NaN] = placed?.along_m ?? [];
    expect(x).toBeCloseTo(1);
    expect(y).toBeCloseTo(2.5);
  });

  it("is in sight as far as somebody has seen it", () => {
    const bounds = placeMap(MAP, [robot], "map")?.bounds_m ?? [];
    expect(bounds.map(([x, y]) => [x, y])).toEqual([
      [1.5, 2],
      [2.5, 2],
      [2.5, 3],
      [1.5, 3],
    ]);
  });

  it("is not drawn where nothing says how its frame lies", () => {
    const lost = { ...MAP, grid: { ...MAP.grid, frame: "odom" } };
    expect(placeMap(lost, [robot], "map")).toBeNull();
    expect(placeMap(MAP, [], "map")).toBeNull();
  });

  it("shows what is free faint, what is occupied as sure as it is, and nothing of what is unknown", () => {
    const pixels = new Uint8ClampedArray(4 * 6);
    paint(pixels, MAP.cells, [10, 20, 30], [200, 210, 220]);
    expect(Array.from(pixels.subarray(0, 4))).toEqual([0, 0, 0, 0]);
    expect(Array.from(pixels.subarray(4, 8))).toEqual([10, 20, 30, 191]);
    expect(Array.from(pixels.subarray(8, 12))).toEqual([200, 210, 220, 255]);
    expect(Array.from(pixels.subarray(20, 24))).toEqual([200, 210, 220, 204]);
  });
});
