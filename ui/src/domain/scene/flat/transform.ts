// Poses between the frames of a robot.

import type { RobotRow } from "../../../generated/bindings/RobotRow";

/** A point, metres. */
export type Vec3 = readonly [number, number, number];
/** A rotation `[x, y, z, w]` of length 1. */
export type Quaternion = readonly [number, number, number, number];

/** Frames form a chain of a handful of links; a longer one is a loop. */
const LINKS_MAX = 16;

/** `point_m` turned by `rotation`. */
export function rotate(rotation: Quaternion, point_m: Vec3): Vec3 {
  const [x, y, z, w] = rotation;
  const [px, py, pz] = point_m;
  const tx = 2 * (y * pz - z * py);
  const ty = 2 * (z * px - x * pz);
  const tz = 2 * (x * py - y * px);
  return [px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx];
}

/** `point_m` of `frame` in `root`, or null if no chain of the robot's frames leads there. */
export function toFrame(transforms: RobotRow["transforms"], frame: string, root: string, point_m: Vec3): Vec3 | null {
  let point = point_m;
  let at = frame;
  for (let link = 0; link < LINKS_MAX; link += 1) {
    if (at === root) return point;
    const up = transforms.find(({ child }) => child === at);
    if (!up) return null;
    const turned = rotate(up.rotation_xyzw, point);
    const [dx, dy, dz] = up.translation_m;
    point = [turned[0] + dx, turned[1] + dy, turned[2] + dz];
    at = up.parent;
  }
  return null;
}

/** `point_m` of `root` in `frame`, which hangs from it; null if no chain of the robot's frames leads there. */
export function fromFrame(transforms: RobotRow["transforms"], frame: string, root: string, point_m: Vec3): Vec3 | null {
  // A rotation keeps lengths and angles, so that its inverse is the product with each of its axes.
  const origin = toFrame(transforms, frame, root, [0, 0, 0]);
  const axes = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((unit) => toFrame(transforms, frame, root, unit));
  const [x, y, z] = axes.map((tip) => {
    if (!origin || !tip) return null;
    return [0, 1, 2].reduce((sum, axis) => {
      const from = origin[axis] ?? 0;
      return sum + ((tip[axis] ?? 0) - from) * ((point_m[axis] ?? 0) - from);
    }, 0);
  });
  return typeof x === "number" && typeof y === "number" && typeof z === "number" ? [x, y, z] : null;
}

/** The frame that a robot's frames hang from: `map` where it is known. */
export function rootFrame(robot: Pick<RobotRow, "default_frame" | "transforms">): string {
  let at = robot.default_frame;
  for (let link = 0; link < LINKS_MAX; link += 1) {
    const up = robot.transforms.find(({ child }) => child === at);
    if (!up) return at;
    at = up.parent;
  }
  return at;
}

/** Heading of a rotation about z, radians. */
export function yaw(rotation: Quaternion): number {
  const [x, y, z, w] = rotation;
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** Distance of two points, metres. */
export function distance(one_m: Vec3, other_m: Vec3): number {
  return Math.hypot(...one_m.map((value, axis) => value - (other_m[axis] ?? Number.NaN)));
}

/** A face of a box; the distance of a point from it is negative outside. */
export type Face = { axis: 0 | 1 | 2; side: "min" | "max"; at_m: number; distance_m: number };

/** The face of a box that a point is nearest to, or furthest beyond. */
export function nearestFace(min_m: Vec3, max_m: Vec3, point_m: Vec3, axes: readonly Face["axis"][] = [0, 1, 2]): Face {
  const faces = axes.flatMap((axis): Face[] => [
    { axis, side: "min", at_m: min_m[axis], distance_m: point_m[axis] - min_m[axis] },
    { axis, side: "max", at_m: max_m[axis], distance_m: max_m[axis] - point_m[axis] },
  ]);
  return faces.reduce((nearest, face) => (face.distance_m < nearest.distance_m ? face : nearest));
}

/** Distance of a point from a box, metres; negative inside. */
export function boxDistance(min_m: Vec3, max_m: Vec3, point_m: Vec3): number {
  const beyond = point_m.map((value, axis) =>
    Math.max((min_m[axis] ?? Number.NaN) - value, value - (max_m[axis] ?? Number.NaN)),
  );
  return Math.hypot(...beyond.map((value) => Math.max(value, 0))) + Math.min(Math.max(...beyond), 0);
}
