// Changes of the waypoints of a path.

import type { Vec3 } from "../../../domain/scene/flat/transform";

/** `point_m` with another coordinate on one axis. */
export function withAxis(point_m: Vec3, axis: number, value: number): Vec3 {
  const [x, y, z] = point_m;
  return [axis === 0 ? value : x, axis === 1 ? value : y, axis === 2 ? value : z];
}

/** The path with another point at `at`. */
export function withPoint(points_m: readonly Vec3[], at: number, point_m: Vec3): Vec3[] {
  return points_m.map((old_m, index) => (index === at ? point_m : old_m));
}

/** The path without the point at `at`; its last one stays, because a path has at least one. */
export function withoutPoint(points_m: readonly Vec3[], at: number): readonly Vec3[] {
  return points_m.length === 1 ? points_m : points_m.filter((_, index) => index !== at);
}

/** The path after a point was moved to another place in the order. */
export function reordered(points_m: readonly Vec3[], from: number, to: number): Vec3[] {
  const moved = points_m.filter((_, at) => at !== from);
  moved.splice(to, 0, ...points_m.slice(from, from + 1));
  return moved;
}
