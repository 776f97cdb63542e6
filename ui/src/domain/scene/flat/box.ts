// Boxes of limits in a scene. A limit lies along the axes of its own frame, which may be turned against the scene's: the
// box around it would show more room than a workspace leaves.

import type { Vec3 } from "./transform";

type Axis = 0 | 1 | 2;
type Ends = { min_m: Vec3; max_m: Vec3 };

/** A box in the frame of a scene. `turned` is the limit itself where it does not lie along the axes of the scene. */
export type SceneBox = Ends & { turned?: Turned };

/** A box along the axes of another frame, which are of length 1. */
export type Turned = Ends & { origin_m: Vec3; axes: readonly [Vec3, Vec3, Vec3] };

/** Two directions that differ by less are one, of an axis of length 1. */
const SAME = 1e-9;
const AXES: readonly Axis[] = [0, 1, 2];
const UNITS: readonly [Vec3, Vec3, Vec3] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** A box of another frame, whose points `place` finds in the scene; null if it finds none. */
export function placeBox(own: Ends, place: (point_m: Vec3) => Vec3 | null): SceneBox | null {
  const [origin_m, ...tips] = [[0, 0, 0] as const, ...UNITS].map(place);
  const [x, y, z] = tips.map((tip) => (tip && origin_m ? minus(tip, origin_m) : null));
  if (!origin_m || !x || !y || !z) return null;
  const turned: Turned = { ...own, origin_m, axes: [x, y, z] };
  const corners = cornersOf(own).flatMap((corner) => {
    const seen = place(corner);
    return seen ? [seen] : [];
  });
  const around = { min_m: extreme(corners, Math.min), max_m: extreme(corners, Math.max) };
  const isAlong = turned.axes.every((axis, which) =>
    AXES.every((at) => Math.abs(axis[at] - (UNITS[which]?.[at] ?? 0)) < SAME),
  );
  return isAlong ? around : { ...around, turned };
}

/** The limit as it is in its own frame. */
export function ownEnds(box: SceneBox): Ends {
  return box.turned ?? box;
}

/** A point of the scene in the frame of the limit. */
export function toOwn({ turned }: Pick<SceneBox, "turned">, point_m: Vec3): Vec3 {
  if (!turned) return point_m;
  const from_m = minus(point_m, turned.origin_m);
  const along = (axis: Axis) => AXES.reduce<number>((sum, at) => sum + turned.axes[axis][at] * from_m[at], 0);
  return [along(0), along(1), along(2)];
}

/** A point of the limit's frame in the scene. */
export function fromOwn({ turned }: Pick<SceneBox, "turned">, point_m: Vec3): Vec3 {
  if (!turned) return point_m;
  const at = (which: Axis) =>
    AXES.reduce<number>((sum, axis) => sum + turned.axes[axis][which] * point_m[axis], turned.origin_m[which]);
  return [at(0), at(1), at(2)];
}

/** The eight corners of a box, in the scene. */
export function boxCorners(box: SceneBox): Vec3[] {
  return cornersOf(ownEnds(box)).map((corner) => fromOwn(box, corner));
}

/** The four corners of a face of a box, or of a plane beside it, in the scene. */
export function faceCorners(box: SceneBox, axis: Axis, at_m: number): Vec3[] {
  const { min_m, max_m } = ownEnds(box);
  const onFace = (ends: Vec3): Vec3 => [
    axis === 0 ? at_m : ends[0],
    axis === 1 ? at_m : ends[1],
    axis === 2 ? at_m : ends[2],
  ];
  return cornersOf({ min_m: onFace(min_m), max_m: onFace(max_m) }).map((corner) => fromOwn(box, corner));
}

/** The direction of an axis of a limit, in the scene. */
export function axisOf({ turned }: Pick<SceneBox, "turned">, axis: Axis): Vec3 {
  return (turned?.axes ?? UNITS)[axis];
}

function cornersOf({ min_m, max_m }: Ends): Vec3[] {
  const ends = [min_m, max_m];
  return ends.flatMap(([x]) => ends.flatMap(([, y]) => ends.map(([, , z]): Vec3 => [x, y, z])));
}

function minus(one_m: Vec3, other_m: Vec3): Vec3 {
  return [one_m[0] - other_m[0], one_m[1] - other_m[1], one_m[2] - other_m[2]];
}

function extreme(points: readonly Vec3[], pick: (...values: number[]) => number): Vec3 {
  return [pick(...points.map((p) => p[0])), pick(...points.map((p) => p[1])), pick(...points.map((p) => p[2]))];
}
