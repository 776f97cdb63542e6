// Maps of robots in a scene: where each lies on the ground.

import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { type SeenMap, UNKNOWN } from "../maps/map-loader";
import { toFrame, type Vec3 } from "./transform";

/** A map in the frame of its scene. */
export type SceneMap = {
  robot: string;
  map: SeenMap;
  /** Outer corner of the first cell, and one cell along its row and along its column from there. */
  corner_m: Vec3;
  along_m: Vec3;
  up_m: Vec3;
  /** Corners of everything that somebody has seen. */
  bounds_m: readonly Vec3[];
};

/** Places a map in the scenes of `frame`; null if nothing says where its own frame is. */
export function placeMap(map: SeenMap, robots: readonly RobotRow[], frame: string): SceneMap | null {
  const transforms = robots.find(({ id }) => id === map.robot)?.transforms;
  if (!transforms) return null;
  const { resolution_m, origin_m, yaw_rad } = map.grid;
  const [cos, sin] = [Math.cos(yaw_rad) * resolution_m, Math.sin(yaw_rad) * resolution_m];
  const at = (column: number, row: number) => {
    const point: Vec3 = [origin_m[0] + column * cos - row * sin, origin_m[1] + column * sin + row * cos, 0];
    return toFrame(transforms, map.grid.frame, frame, point);
  };
  const [corner_m, along_m, up_m] = [at(0, 0), at(1, 0), at(0, 1)];
  if (!corner_m || !along_m || !up_m) return null;
  const { left, right, low, high } = knownOf(map);
  const corners = [at(left, low), at(right, low), at(right, high), at(left, high)];
  const bounds_m = left < right ? corners.flatMap((corner) => (corner ? [corner] : [])) : [];
  return { robot: map.robot, map, corner_m, along_m, up_m, bounds_m };
}

type Known = { left: number; right: number; low: number; high: number };

const known = new WeakMap<SeenMap, Known>();

/** Columns and rows between which everything lies that is known; none if nothing is. */
function knownOf(map: SeenMap): Known {
  const before = known.get(map);
  if (before) return before;
  const { width_cells } = map.grid;
  const found = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  for (const [index, cell] of map.cells.entries()) {
    if (cell === UNKNOWN) continue;
    const [column, row] = [index % width_cells, Math.floor(index / width_cells)];
    if (column < found.left) found.left = column;
    if (column + 1 > found.right) found.right = column + 1;
    if (row < found.low) found.low = row;
    if (row + 1 > found.high) found.high = row + 1;
  }
  known.set(map, found);
  return found;
}
