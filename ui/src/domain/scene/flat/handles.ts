// Handles of a limit that is being written: their places, and the limit after one of them was moved. All of it is in the
// limit's own frame, so that a turned limit stays the shape that it is.

import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import { match } from "../../../host/variants";
import { placeOf, type PlaceLimit } from "./limit-place";
import type { Vec3 } from "./transform";
import type { ViewSide } from "./view";

type Axis = 0 | 1 | 2;
type Span = readonly [number, number];
type Spans = readonly [Span, Span, Span];
type Sphere = { center: Vec3; radius: number };
/** One end of a span, which a handle moves. */
type Pull = { axis: Axis; end: 0 | 1 };

/** Shape of a limit that has a place. */
export type Shape = { spans: Spans } | { sphere: Sphere } | null;

/** A place at which a limit is taken hold of. */
export type Handle = {
  id: string;
  /** Middle, an edge with the number it stands for, or a corner, which is for the pointer alone. */
  part: { middle: true } | { axis: Axis | null; end: 0 | 1; value_m: number } | { corner: true };
  at_m: Vec3;
};

/** The two axes that a side shows. */
const SEEN: Readonly<Record<ViewSide, readonly [Axis, Axis]>> = { top: [0, 1], front: [0, 2], side: [1, 2] };
const AXES: readonly Axis[] = [0, 1, 2];
const ENDS = [0, 1] as const;
const NAMES = ["x", "y", "z"] as const;
const END_NAMES = ["min", "max"] as const;
/** A drag moves in steps of a centimetre, and no limit becomes thinner than one. */
const STEP_M = 0.01;
/** Height of a zone that is drawn from above, metres: from below the floor to above a person. */
const DRAWN_Z_M: Span = [-0.5, 2];

/** The handles of a limit that can be seen from a side; none for a limit without a place. */
export function handlesOf(limit: ConstraintKind, side: ViewSide): Handle[] {
  const shape = shapeOf(limit);
  if (shape === null) return [];
  if ("sphere" in shape) return sphereHandles(shape.sphere, side);
  const { spans } = shape;
  const middle = middleOf(spans);
  const [right, up] = SEEN[side];
  const edges = [right, up].flatMap((axis) =>
    ENDS.map((end): Handle => {
      const value_m = spans[axis][end];
      return { id: pullId({ axis, end }), part: { axis, end, value_m }, at_m: withAxis(middle, axis, value_m) };
    }),
  );
  const corners = ENDS.flatMap((one) =>
    ENDS.map((other): Handle => {
      const id = `${pullId({ axis: right, end: one })} ${pullId({ axis: up, end: other })}`;
      const at_m = withAxis(withAxis(middle, right, spans[right][one]), up, spans[up][other]);
      return { id, part: { corner: true }, at_m };
    }),
  );
  // The last ones lie on top: of a small limit at least the whole can be moved.
  return [...corners, ...edges, { id: "middle", part: { middle: true }, at_m: middle }];
}

/** The limit after a handle was moved to a point. */
export function moveHandle(limit: ConstraintKind, id: string, to_m: Vec3): ConstraintKind {
  const shape = shapeOf(limit);
  const to = to_m.map(rounded) as unknown as Vec3;
  if (shape === null) return limit;
  if ("sphere" in shape) {
    const { center, radius } = shape.sphere;
    if (id === "middle") return sphere(moved(center, stepsFrom(center, to_m)), radius);
    const away_m = Math.hypot(...to_m.map((value, axis) => value - (center[axis] ?? value)));
    return sphere(center, Math.max(STEP_M, rounded(away_m)));
  }
  if (id !== "middle") return withSpans(limit, pulled(shape.spans, id, to));
  // The way is rounded, not the ends: a limit keeps its size, and its place where it is not moved.
  const by = stepsFrom(middleOf(shape.spans), to_m);
  return withSpans(
    limit,
    eachAxis((axis) => {
      const [min, max] = shape.spans[axis];
      return [moved([min, min, min], by)[axis], moved([max, max, max], by)[axis]];
    }),
  );
}

/** The limit of a kind that a drag from one corner to the other draws; what the side does not show is as it was. */
export function drawLimit(before: ConstraintKind, side: ViewSide, from_m: Vec3, to_m: Vec3): ConstraintKind {
  const shape = shapeOf(before);
  if (shape === null) return before;
  if ("sphere" in shape) {
    const away_m = Math.hypot(...to_m.map((value, axis) => value - (from_m[axis] ?? value)));
    const center = AXES.map((axis) => (SEEN[side].includes(axis) ? rounded(from_m[axis]) : shape.sphere.center[axis]));
    return sphere(center as unknown as Vec3, Math.max(STEP_M, rounded(away_m)));
  }
  const [right, up] = SEEN[side];
  return withSpans(
    before,
    eachAxis((axis) => {
      if (axis !== right && axis !== up) return shape.spans[axis];
      const [one, other] = [rounded(from_m[axis]), rounded(to_m[axis])];
      return [Math.min(one, other), Math.max(one, other, Math.min(one, other) + STEP_M)];
    }),
  );
}

/** A keep-out box between two points of the floor plan. */
export function drawKeepOut(from_m: Vec3, to_m: Vec3): ConstraintKind {
  const flat: ConstraintKind = { KeepOutBox: { min: [0, 0, DRAWN_Z_M[0]], max: [0, 0, DRAWN_Z_M[1]] } };
  return drawLimit(flat, "top", from_m, to_m);
}

function sphereHandles({ center, radius }: Sphere, side: ViewSide): Handle[] {
  const axis = SEEN[side][0];
  const edge_m = withAxis(center, axis, center[axis] + radius);
  return [
    { id: "radius", part: { axis: null, end: 1, value_m: radius }, at_m: edge_m },
    { id: "middle", part: { middle: true }, at_m: center },
  ];
}

function pulled(spans: Spans, id: string, to: Vec3): Spans {
  return eachAxis((axis) => {
    const [min, max] = spans[axis];
    if (id.includes(pullId({ axis, end: 0 }))) return [Math.min(to[axis], rounded(max - STEP_M)), max];
    if (id.includes(pullId({ axis, end: 1 }))) return [min, Math.max(to[axis], rounded(min + STEP_M))];
    return [min, max];
  });
}

function pullId({ axis, end }: Pull): string {
  return `${NAMES[axis]}-${END_NAMES[end]}`;
}

/** The shape of a limit, in its own frame; none for one without a place. */
export function shapeOf(limit: ConstraintKind): Shape {
  const place = placeOf(limit);
  if (place === null) return null;
  return match<PlaceLimit, Shape>(place, {
    Workspace: ({ x, y, z }) => ({ spans: [x, y, z] }),
    KeepOutBox: ({ min, max }) => ({
      spans: [
        [min[0], max[0]],
        [min[1], max[1]],
        [min[2], max[2]],
      ],
    }),
    ForbiddenZone: (zone) => ({ sphere: zone }),
  });
}

function withSpans(limit: ConstraintKind, [x, y, z]: Spans): ConstraintKind {
  if ("Workspace" in limit) return { Workspace: { x: [...x], y: [...y], z: [...z] } };
  return { KeepOutBox: { min: [x[0], y[0], z[0]], max: [x[1], y[1], z[1]] } };
}

function sphere([x, y, z]: Vec3, radius: number): ConstraintKind {
  return { ForbiddenZone: { center: [x, y, z], radius } };
}

function eachAxis(span: (axis: Axis) => Span): Spans {
  const [x, y, z] = AXES.map(span) as [Span, Span, Span];
  return [x, y, z];
}

function middleOf(spans: Spans): Vec3 {
  const [x, y, z] = spans.map(([min, max]) => (min + max) / 2) as [number, number, number];
  return [x, y, z];
}

function withAxis(point_m: Vec3, axis: Axis, value: number): Vec3 {
  const [x, y, z] = point_m.map((own, index) => (index === axis ? value : own)) as [number, number, number];
  return [x, y, z];
}

/** The way from one point to another in whole centimetres. */
function stepsFrom(from_m: Vec3, to_m: Vec3): Vec3 {
  return [rounded(to_m[0] - from_m[0]), rounded(to_m[1] - from_m[1]), rounded(to_m[2] - from_m[2])];
}

/** A point after a way; the sum of two decimals has no digits that neither of them has. */
function moved(point_m: Vec3, by_m: Vec3): Vec3 {
  const sum = (axis: Axis) => Math.round((point_m[axis] + by_m[axis]) * 1e6) / 1e6 + 0;
  return [sum(0), sum(1), sum(2)];
}

/** To the centimetre, without a minus in front of nothing. */
function rounded(value: number): number {
  return Math.round(value / STEP_M) / Math.round(1 / STEP_M) + 0;
}
