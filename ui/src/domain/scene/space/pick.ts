// The robot that a press on the scene in three dimensions means.

import type { Vec3 } from "../flat/transform";

/** A line of sight: from the eye, in a direction of length 1. */
export type Ray = { from_m: Vec3; along: Vec3 };

/** A robot as a ball. */
export type Ball = { id: string; position_m: Vec3; body_radius_m: number };

/** A robot whose drawn body is hit, and how far from the eye. */
export type Hit = { id: string; distance_m: number };

/** A finger is no finer than this, in shares of the distance. */
const REACH = 0.008;

/** The robot under a line of sight: the nearest to the eye of the drawn bodies that it meets and the balls in reach. */
export function robotOn({ from_m, along }: Ray, balls: readonly Ball[], hits: readonly Hit[]): string | null {
  const inReach = balls.flatMap(({ id, position_m, body_radius_m }): Hit[] => {
    const to_m = position_m.map((value, axis) => value - (from_m[axis] ?? 0));
    const distance_m = to_m.reduce((sum, value, axis) => sum + value * (along[axis] ?? 0), 0);
    const away_m = Math.hypot(...to_m.map((value, axis) => value - distance_m * (along[axis] ?? 0)));
    // A line of sight goes on behind the eye, where nobody pointed.
    return distance_m > 0 && away_m <= body_radius_m + REACH * distance_m ? [{ id, distance_m }] : [];
  });
  const nearest = [...hits, ...inReach].sort((a, b) => a.distance_m - b.distance_m);
  return nearest[0]?.id ?? null;
}
