import { expect, it } from "vitest";
import { UNKNOWN } from "../../../../domain/scene/maps/map-loader";
import { filesOfMap } from "./robot-map";
import { readRosMap } from "./ros-map";

it("U-1102 the walls of a robot's map lie where the robot has seen them", async () => {
  // Ten cells by eight of half a metre: a wall three cells long and two broad from (2, 3), the last row unknown.
  const [width_cells, height_cells] = [10, 8];
  const cells = new Uint8Array(width_cells * height_cells);
  for (const row of [4, 5]) for (const column of [2, 3, 4]) cells[row * width_cells + column] = 100;
  cells.fill(UNKNOWN, (height_cells - 1) * width_cells);
  const grid = { frame: "map", resolution_m: 0.5, width_cells, height_cells, yaw_rad: 0 };
  const map = { robot: "rover-1", observed_mono_ms: 1, grid: { ...grid, origin_m: [1, 1] as [number, number] }, cells };
  const [yaml, pgm] = filesOfMap(map);
  const drawing = readRosMap(
    (await yaml?.text()) ?? "",
    new Uint8Array((await pgm?.arrayBuffer()) ?? new ArrayBuffer(0)),
    () => undefined,
  );
  const points = drawing.lines.flat();
  const axis = (at: 0 | 1) => points.map((point) => point[at]);
  expect([Math.min(...axis(0)), Math.max(...axis(0)), Math.min(...axis(1)), Math.max(...axis(1))]).toEqual([
    2, 3.5, 3, 4,
  ]);
});
