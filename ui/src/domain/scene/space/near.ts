// Limits that a robot is near: those are drawn as bodies, the others as edges only (U-1103).

import { ownEnds, type SceneBox, toOwn } from "../flat/box";
import type { SceneRobot, SceneVolume } from "../flat/scene-model";
import { boxDistance, distance, type Vec3 } from "../flat/transform";

/** Nearer than this a limit matters for where the robot goes next. For orientation only: the station judges. */
const NEAR_M = 0.3;

/** True if one of the robots it binds is near the limit, or beyond it. */
export function isNear(volume: SceneVolume, robots: readonly SceneRobot[]): boolean {
  return robots.some(
    ({ id, position_m, body_radius_m }) =>
      (volume.robot === null || volume.robot === id) && roomTo(volume, position_m) - body_radius_m < NEAR_M,
  );
}

/** Distance of a point from the surface of the limit, metres; negative beyond it. */
function roomTo(volume: SceneVolume, point_m: Vec3): number {
  switch (volume.kind) {
    case "workspace":
      return -awayFrom(volume, point_m);
    case "keep_out_box":
      return awayFrom(volume, point_m);
    case "forbidden_zone":
      return distance(point_m, volume.center_m) - volume.radius_m;
  }
}

function awayFrom(box: SceneBox, point_m: Vec3): number {
  const { min_m, max_m } = ownEnds(box);
  return boxDistance(min_m, max_m, toOwn(box, point_m));
}
