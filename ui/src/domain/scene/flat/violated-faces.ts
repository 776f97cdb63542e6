// The faces of a limit through which a denied motion would go.

import { ownEnds, toOwn } from "./box";
import type { SceneDenial, SceneVolume } from "./scene-model";
import type { Vec3 } from "./transform";

type Axis = 0 | 1 | 2;

/** A face of a box, in its own frame: at `at_m` on its axis. The motion would go beyond it as far as `to_m`; null where that is inside. */
export type ViolatedFace = { axis: Axis; at_m: number; to_m: number | null };

const AXES: readonly Axis[] = [0, 1, 2];
/** The nearest allowed point is told to the millimetre. */
const SAME_M = 0.001;

/**
 * The violated faces of a limit. What the body and the margins need counts as beyond: it is how far the nearest allowed
 * point stays away from the face. That point says something about this limit only if `isOnly` this one is violated.
 */
export function violatedFaces(volume: SceneVolume, worst: SceneDenial["worst"], isOnly: boolean): ViolatedFace[] {
  if (!worst) return [];
  if (volume.kind === "forbidden_zone") return [];
  // Faces lie along the axes of the limit's own frame.
  const { min_m, max_m } = ownEnds(volume);
  const point_m = toOwn(volume, worst.point_m);
  const nearest_m = isOnly && worst.nearest_m ? toOwn(volume, worst.nearest_m) : null;
  switch (volume.kind) {
    case "workspace":
      return AXES.flatMap((axis) => workspaceFace(axis, min_m, max_m, point_m, nearest_m) ?? []);
    case "keep_out_box":
      return nearest_m ? [entered(min_m, max_m, point_m, nearest_m)] : [];
  }
}

function workspaceFace(
  axis: Axis,
  min_m: Vec3,
  max_m: Vec3,
  point_m: Vec3,
  nearest_m: Vec3 | null,
): ViolatedFace | null {
  const [min, max, at] = [min_m[axis], max_m[axis], point_m[axis]];
  const nearest = nearest_m?.[axis] ?? at;
  if (at > max || at > nearest + SAME_M) return { axis, at_m: max, to_m: at + Math.max(0, max - nearest) };
  if (at < min || at < nearest - SAME_M) return { axis, at_m: min, to_m: at - Math.max(0, nearest - min) };
  return null;
}

/** The face towards the nearest allowed point. */
function entered(min_m: Vec3, max_m: Vec3, point_m: Vec3, nearest_m: Vec3): ViolatedFace {
  const away = (axis: Axis) => nearest_m[axis] - point_m[axis];
  const axis = AXES.reduce((best, one) => (Math.abs(away(one)) > Math.abs(away(best)) ? one : best));
  return { axis, at_m: away(axis) < 0 ? min_m[axis] : max_m[axis], to_m: null };
}
