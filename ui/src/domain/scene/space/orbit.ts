// Position of a scene's eye: turning around the point in focus, x forward, y left, z up.

import type { Vec3 } from "../flat/transform";

/**
 * The eye, on a sphere around a point. `azimuth_rad` is counted from x towards y, `elevation_rad` from the ground up.
 */
export type Orbit = { target_m: Vec3; distance_m: number; azimuth_rad: number; elevation_rad: number };

/** Field of view of the eye from top to bottom, radians. */
export const FIELD_RAD = Math.PI / 4;

/** From behind on the right, so that x leads away and z stands up. */
const AZIMUTH_RAD = (-2 * Math.PI) / 3;
const ELEVATION_RAD = Math.PI / 6;
/** Straight above, up has no direction. */
const ELEVATION_RAD_MAX = Math.PI / 2 - 0.01;
/** Room around what is fitted. */
const EDGE = 1.15;
/** A scene of one point still shows something around it. */
const FIT_M_MIN = 1;
const DISTANCE_M_MIN = 0.2;
const DISTANCE_M_MAX = 500;

/** An eye that sees all points in a picture this many times as wide as high. */
export function around(points: readonly Vec3[], aspect: number): Orbit {
  const middle = (axis: 0 | 1 | 2) => {
    const values = points.map((point) => point[axis]);
    return values.length === 0 ? 0 : (Math.min(...values) + Math.max(...values)) / 2;
  };
  const target_m: Vec3 = [middle(0), middle(1), middle(2)];
  const orbit = { target_m, distance_m: 0, azimuth_rad: AZIMUTH_RAD, elevation_rad: ELEVATION_RAD };
  return { ...orbit, distance_m: Math.max(FIT_M_MIN, EDGE * neededM(orbit, points, aspect)) };
}

/** The distance from which an eye in this direction sees all points. */
function neededM(orbit: Orbit, points: readonly Vec3[], aspect: number): number {
  const steep = Math.tan(FIELD_RAD / 2);
  const needed_m = points.map((point) => {
    const { right_m, up_m, towards_m } = seenFrom(orbit, point);
    return towards_m + Math.max(Math.abs(up_m) / steep, Math.abs(right_m) / (steep * aspect));
  });
  return Math.max(0, ...needed_m);
}

/** From this much nearer on, what is seen has become so small that it is fitted again. */
const NEARER_MIN = 1.6;

/** The same eye while it sees all points well, else one that does: one that followed every step would never stand still. */
export function keptAround(shown: Orbit | null, points: readonly Vec3[], aspect: number): Orbit {
  const next = around(points, aspect);
  if (!shown || neededM(shown, points, aspect) > shown.distance_m) return next;
  return shown.distance_m > NEARER_MIN * next.distance_m ? next : shown;
}

/** Place of a point as the eye sees it, metres from the point in focus. */
export function seenFrom(
  { target_m, azimuth_rad, elevation_rad }: Orbit,
  point_m: Vec3,
): { right_m: number; up_m: number; towards_m: number } {
  const [x, y, z] = [point_m[0] - target_m[0], point_m[1] - target_m[1], point_m[2] - target_m[2]];
  const out_m = x * Math.cos(azimuth_rad) + y * Math.sin(azimuth_rad);
  return {
    right_m: y * Math.cos(azimuth_rad) - x * Math.sin(azimuth_rad),
    up_m: z * Math.cos(elevation_rad) - out_m * Math.sin(elevation_rad),
    towards_m: z * Math.sin(elevation_rad) + out_m * Math.cos(elevation_rad),
  };
}

/** The eye after a turn; it never goes over the top or below the ground's edge. */
export function turned(orbit: Orbit, by_azimuth_rad: number, by_elevation_rad: number): Orbit {
  const elevation_rad = Math.min(
    ELEVATION_RAD_MAX,
    Math.max(-ELEVATION_RAD_MAX, orbit.elevation_rad + by_elevation_rad),
  );
  return { ...orbit, azimuth_rad: orbit.azimuth_rad + by_azimuth_rad, elevation_rad };
}

/** The eye this many times as near. */
export function nearer(orbit: Orbit, factor: number): Orbit {
  return { ...orbit, distance_m: Math.min(DISTANCE_M_MAX, Math.max(DISTANCE_M_MIN, orbit.distance_m / factor)) };
}

/** Position of the eye, metres. */
export function eyeOf({ target_m, distance_m, azimuth_rad, elevation_rad }: Orbit): Vec3 {
  const flat_m = distance_m * Math.cos(elevation_rad);
  return [
    target_m[0] + flat_m * Math.cos(azimuth_rad),
    target_m[1] + flat_m * Math.sin(azimuth_rad),
    target_m[2] + distance_m * Math.sin(elevation_rad),
  ];
}
