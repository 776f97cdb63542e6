// Projection of points of the scene onto the canvas.

import { frameOf } from "./frame";
import type { SceneDecision, SceneDenial, SceneGoal, SceneModel, SceneVolume } from "./scene-model";
import { distance, type Vec3 } from "./transform";

/** From above (x right, y up), from the front (x right, z up) or from the side (y right, z up). */
export type ViewSide = "top" | "front" | "side";

/** A point on the canvas, CSS pixels from its top left corner. */
export type Spot = readonly [number, number];

/** The part of the scene in sight. */
export type Camera = { side: ViewSide; center: readonly [number, number]; px_per_m: number };

/** The size of the canvas, CSS pixels. */
export type CanvasSize = { width_px: number; height_px: number };

/** Free room around what is fitted. */
const EDGE_PX = 28;
/** A scene of one robot without limits still shows this much around it. */
const SPAN_M_MIN = 2;
/** A denial is looked at from nearer: its depth is what matters. */
const DENIAL_SPAN_M_MIN = 0.6;
/** Around the robots of a whole site; their workspaces may be far larger than the place they are in. */
const SITE_EDGE_M = 1.5;
/** Around a motion that somebody decides on. */
const DECISION_EDGE_M = 0.5;
/** A limit farther off decides nothing, and showing it would make everything small. */
const MARGIN_M_MAX = 3;
/** A site plan that is so large that a metre has less than this is not fitted: its robots would be dots, px. */
const PLAN_PX_PER_M_MIN = 16;
/** Bounds of the zoom, pixels per metre. */
const SCALE_MIN = 2;
const SCALE_MAX = 2_000;

/** The side that shows most of the way between two points. */
export function sideShowing(one_m: Vec3, other_m: Vec3): ViewSide {
  const [across_m, along_m, up_m] = [0, 1, 2].map((axis) => Math.abs((one_m[axis] ?? 0) - (other_m[axis] ?? 0)));
  if ((up_m ?? 0) <= Math.max(across_m ?? 0, along_m ?? 0)) return "top";
  return (across_m ?? 0) >= (along_m ?? 0) ? "front" : "side";
}

/** The axes that a side shows: the one to the right and the one upwards. */
export const AXES_OF: Readonly<Record<ViewSide, readonly [0 | 1, 1 | 2]>> = {
  top: [0, 1],
  front: [0, 2],
  side: [1, 2],
};

/** The two coordinates of a point that a side shows. */
export function flatten(side: ViewSide, point_m: Vec3): readonly [number, number] {
  const [right, up] = AXES_OF[side];
  return [point_m[right], point_m[up]];
}

/** The point that a side shows at these two coordinates; the third is that of `depth_m`. */
export function unflatten(side: ViewSide, [right, up]: readonly [number, number], depth_m: Vec3): Vec3 {
  switch (side) {
    case "top":
      return [right, up, depth_m[2]];
    case "front":
      return [right, depth_m[1], up];
    case "side":
      return [depth_m[0], right, up];
  }
}

/** Places a point of the scene on the canvas. */
export function toSpot(camera: Camera, size: CanvasSize, point_m: Vec3): Spot {
  const [right, up] = flatten(camera.side, point_m);
  return [
    size.width_px / 2 + (right - camera.center[0]) * camera.px_per_m,
    size.height_px / 2 - (up - camera.center[1]) * camera.px_per_m,
  ];
}

/**
 * Points to keep in sight: every robot, goal and zone; one robot with all its limits; or the points of a motion that was
 * denied or that somebody decides on.
 */
export function pointsInSight(model: SceneModel, focus: string | null): Vec3[] {
  if (model.near && model.denial) return pointsOfDenial(model, model.denial);
  return model.near && model.decision ? pointsOfDecision(model, model.decision) : pointsOf(model, focus);
}

/**
 * A camera that sees all of it, in the middle of the border; of a site also its plan and the maps, where robots stay large
 * enough.
 */
export function fit(model: SceneModel, size: CanvasSize, side: ViewSide, focus: string | null): Camera {
  const points = pointsInSight(model, focus);
  const isOfSite = focus === null && !model.near && side === "top";
  const ground = [...(model.plan?.bounds_m ?? []), ...model.maps.flatMap(({ bounds_m }) => bounds_m)];
  if (!isOfSite || ground.length === 0) return fitPoints(model, size, side, points);
  const whole = fitPoints(model, size, side, [...points, ...ground]);
  if (points.length === 0 || whole.px_per_m >= PLAN_PX_PER_M_MIN) return whole;
  return fitPoints(model, size, side, points);
}

function fitPoints(model: SceneModel, size: CanvasSize, side: ViewSide, points_m: readonly Vec3[]): Camera {
  const points = points_m.map((point) => flatten(side, point));
  // Without anything to fit, the origin of the frame is as good a place as any.
  if (points.length === 0) return { side, center: [0, 0], px_per_m: 40 };
  const rights = points.map(([right]) => right);
  const ups = points.map(([, up]) => up);
  const span_m_min = model.near && model.denial ? DENIAL_SPAN_M_MIN : SPAN_M_MIN;
  const width_m = Math.max(span(rights), span_m_min);
  const height_m = Math.max(span(ups), span_m_min);
  const frame = frameOf(size);
  const px_per_m = clamp(
    Math.min((frame.right - frame.left - 2 * EDGE_PX) / width_m, (frame.bottom - frame.top - 2 * EDGE_PX) / height_m),
  );
  const right_px = (frame.left + frame.right - size.width_px) / 2;
  const down_px = (frame.top + frame.bottom - size.height_px) / 2;
  return {
    side,
    center: [middle(rights) - right_px / px_per_m, middle(ups) + down_px / px_per_m],
    px_per_m,
  };
}

/** From this much nearer on, what is fitted has become so small that it is fitted again. */
const NEARER_MIN = 1.6;

/**
 * `shown` while everything is in its sight, else a camera that fits it again: a view that followed every step of a robot
 * would never stand still.
 */
export function keepFitted(shown: Camera, model: SceneModel, size: CanvasSize, focus: string | null): Camera {
  const next = fit(model, size, shown.side, focus);
  const frame = frameOf(size);
  // A plan and maps may lie outside: they never move, and whoever zoomed in knows that they go on.
  const outside = pointsInSight(model, focus)
    .map((point) => toSpot(shown, size, point))
    .some(([x, y]) => x < frame.left || x > frame.right || y < frame.top || y > frame.bottom);
  return outside || next.px_per_m > NEARER_MIN * shown.px_per_m ? next : shown;
}

/** Handles of a shape smaller than this lie on each other, px. */
const SHAPE_PX_MIN = 120;
/** The least span that is looked at, metres. */
const LOOKED_M_MIN = 0.2;
/** Room around a shape that is looked at: one that was too small keeps its surroundings in sight. */
const ROOM_AROUND = { small: 2.5, large: 1.3 } as const;

/** `shown` where all points are in its sight and apart, else a camera with them in the middle. */
export function nearTo(shown: Camera, size: CanvasSize, points_m: readonly Vec3[]): Camera {
  const frame = frameOf(size);
  const spots = points_m.map((point) => toSpot(shown, size, point));
  const outside = spots.some(([x, y]) => x < frame.left || x > frame.right || y < frame.top || y > frame.bottom);
  const small = Math.max(span(spots.map(([x]) => x)), span(spots.map(([, y]) => y))) < SHAPE_PX_MIN;
  if (points_m.length === 0 || (!outside && !small)) return shown;
  const points = points_m.map((point) => flatten(shown.side, point));
  const [rights, ups] = [points.map(([right]) => right), points.map(([, up]) => up)];
  const room = small ? ROOM_AROUND.small : ROOM_AROUND.large;
  const [width_m = LOOKED_M_MIN, height_m = LOOKED_M_MIN] = [rights, ups].map(
    (values) => room * Math.max(span(values), LOOKED_M_MIN),
  );
  const px_per_m = clamp(Math.min((frame.right - frame.left) / width_m, (frame.bottom - frame.top) / height_m));
  return { ...shown, center: [middle(rights), middle(ups)], px_per_m };
}

/** The coordinates of the scene's plane that lie under a spot, metres. */
export function pointAt({ center, px_per_m }: Camera, size: CanvasSize, [x, y]: Spot): readonly [number, number] {
  return [center[0] + (x - size.width_px / 2) / px_per_m, center[1] + (size.height_px / 2 - y) / px_per_m];
}

/** The camera after a zoom that leaves what is under a spot there. */
export function zoomAt(camera: Camera, size: CanvasSize, spot: Spot, factor: number): Camera {
  const held = pointAt(camera, size, spot);
  const px_per_m = clamp(camera.px_per_m * factor);
  const [right_px, up_px] = [spot[0] - size.width_px / 2, size.height_px / 2 - spot[1]];
  return { ...camera, center: [held[0] - right_px / px_per_m, held[1] - up_px / px_per_m], px_per_m };
}

/** The camera after a move by pixels. */
export function pan(camera: Camera, right_px: number, up_px: number): Camera {
  const [right, up] = camera.center;
  return { ...camera, center: [right + right_px / camera.px_per_m, up + up_px / camera.px_per_m] };
}

/** A round length whose bar is at most `max_px` long: 1, 2 or 5 times a power of ten, metres. */
export function scaleBarM(px_per_m: number, max_px: number): number {
  const longest_m = max_px / px_per_m;
  const power = 10 ** Math.floor(Math.log10(longest_m));
  const step = [5, 2, 1].find((candidate) => candidate * power <= longest_m) ?? 1;
  return step * power;
}

function pointsOf(model: SceneModel, focus: string | null): Vec3[] {
  const wanted = (robot: string | null) => focus === null || robot === focus;
  const edge_m = focus === null ? SITE_EDGE_M : 0;
  const robots = model.robots.filter(({ id }) => wanted(id));
  const goals = model.goals.filter(({ robot }) => wanted(robot));
  return [
    ...robots
      .flatMap(({ position_m, base_m }) => [position_m, base_m ?? position_m])
      .flatMap((point) => around(point, edge_m)),
    // What is being written is looked at from near: limits in force may be far larger.
    ...model.volumes
      .filter(({ robot }) => wanted(robot) && model.drafts.length === 0)
      .flatMap((volume) => cornersOf(volume, focus)),
    ...model.drafts.flatMap((volume) => cornersOf(volume, volume.robot)),
    ...goals.flatMap((goal) => pointsOfGoal(goal, edge_m)),
  ];
}

/** The body all along the way, and no less than `edge_m` around it. */
function pointsOfGoal({ path_m, body_radius_m }: SceneGoal, edge_m: number): Vec3[] {
  return path_m.flatMap((point) => around(point, Math.max(edge_m, body_radius_m)));
}

/** The way with some room around it, and the limit that leaves the least if that is not far off. */
function pointsOfDecision({ goals }: SceneModel, { margin }: SceneDecision): Vec3[] {
  const way = goals.flatMap((goal) => pointsOfGoal(goal, goal.body_radius_m + DECISION_EDGE_M));
  const isNear = margin !== null && distance(margin.edge_m, margin.bound_m) <= MARGIN_M_MAX;
  return isNear ? [...way, ...around(margin.bound_m, DECISION_EDGE_M / 2)] : way;
}

/** The way and its worst point; of the violated limits only those that are not larger than any way. */
function pointsOfDenial({ volumes }: SceneModel, { path_m, worst, constraints }: SceneDenial): Vec3[] {
  return [
    ...path_m,
    ...(worst ? [worst.point_m, worst.nearest_m ?? worst.point_m] : []),
    ...volumes
      .filter(({ constraint }) => constraints.includes(constraint))
      .flatMap((volume) => cornersOf(volume, null)),
  ];
}

function cornersOf(volume: SceneVolume, focus: string | null): Vec3[] {
  switch (volume.kind) {
    case "workspace":
      return focus === null ? [] : [volume.min_m, volume.max_m];
    case "keep_out_box":
      return [volume.min_m, volume.max_m];
    case "forbidden_zone":
      return around(volume.center_m, volume.radius_m);
  }
}

/** Two corners of the box around a point. */
function around([x, y, z]: Vec3, by_m: number): Vec3[] {
  return [
    [x - by_m, y - by_m, z - by_m],
    [x + by_m, y + by_m, z + by_m],
  ];
}

function middle(values: readonly number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2;
}

function span(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function clamp(px_per_m: number): number {
  return Math.min(SCALE_MAX, Math.max(SCALE_MIN, px_per_m));
}
