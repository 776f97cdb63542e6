// Contents of a scene, as plain data in one frame: the same for every drawing and for the text beside it (U-2308).

import type { ConstraintRow } from "../../../generated/bindings/ConstraintRow";
import type { PoseValue } from "../../../generated/bindings/PoseValue";
import type { Proposal } from "../../../generated/bindings/Proposal";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import type { Freshness } from "../../../design/format/freshness";
import { type RobotLook, type RobotShape, shapeOf } from "../../robot/robot-look";
import { placeBox, type SceneBox } from "./box";
import { placeOf, type PlaceLimit } from "./limit-place";
import { placeMap, type SceneMap } from "./scene-map";
import type { SeenMap } from "../maps/map-loader";
import { type PlanPoint, placePlan, type ScenePlan } from "./scene-plan";
import { distance, rootFrame, rotate, toFrame, type Vec3, yaw } from "./transform";
import { match } from "../../../host/variants";

/** A robot at its last known place. */
export type SceneRobot = {
  id: string;
  position_m: Vec3;
  heading_rad: number | null;
  body_radius_m: number;
  freshness: Freshness;
  age: string;
  simulated: boolean;
  /** Position of its base, metres, if the moving point is a tool. */
  base_m: Vec3 | null;
  /** The root of its body: its origin and the tips of its x and y axes. A robot that drives carries it along. */
  stand_m: readonly [Vec3, Vec3, Vec3] | null;
  /** Positions of its joints, radians or metres, by name. */
  joints: Readonly<Record<string, number>>;
  /** The way behind it, in the stretches that were seen. */
  trail_m: readonly (readonly Vec3[])[];
  shape: RobotShape;
  look: RobotLook;
  /** Measured speed, if it says one. */
  speed_mps: number | null;
};

/** A limit that has a place. */
export type SceneVolume =
  | ({ kind: "workspace"; robot: string | null; constraint: string } & SceneBox)
  | ({ kind: "keep_out_box"; robot: string | null; constraint: string } & SceneBox)
  | { kind: "forbidden_zone"; robot: string | null; constraint: string; center_m: Vec3; radius_m: number };

/** Fields of a limit that place it in a scene. */
export type PlacedLimit = Pick<ConstraintRow, "constraint" | "id" | "frame" | "robot">;

/** Predicted motion of a proposal. */
export type SceneGoal = {
  robot: string;
  from_m: Vec3;
  to_m: Vec3;
  /** The points of the way, both ends among them. */
  path_m: readonly Vec3[];
  /** The body that is swept along the way, metres; 0 if none is declared. */
  body_radius_m: number;
  /** Seconds at the commanded speed, if that is known. */
  duration_s: number | null;
};

/** The limit to which a predicted motion leaves the least room, from the body's edge to where the limit binds. */
export type SceneMargin = { edge_m: Vec3; bound_m: Vec3; room: string; limit: string };

/** A decision on the one motion that is predicted. */
export type SceneDecision = { margin: SceneMargin | null };

/** A motion that was denied: the way it asked for, and the worst point of it. */
export type SceneDenial = {
  /** From where the robot was, where that is known, over the points that were asked for. */
  path_m: readonly Vec3[];
  worst: { point_m: Vec3; nearest_m: Vec3 | null; depth: string } | null;
  /** The limits it would violate. */
  constraints: readonly string[];
};

/** Everything drawn. */
export type SceneModel = {
  frame: string;
  /** The site plan, if it is one of this frame. */
  plan: ScenePlan | null;
  /** A robot in it has a map. */
  has_maps: boolean;
  /** Maps that are shown. */
  maps: readonly SceneMap[];
  /** Corners of an area of the plan that somebody is drawing. */
  outline: readonly PlanPoint[];
  robots: readonly SceneRobot[];
  volumes: readonly SceneVolume[];
  /** Limits somebody is writing down; none of them is in force. */
  drafts: readonly SceneVolume[];
  goals: readonly SceneGoal[];
  denial: SceneDenial | null;
  decision: SceneDecision | null;
  /** It is about one motion, which is looked at from near. */
  near: boolean;
  /** Robots that cannot be drawn, because nothing says where they are in this frame. */
  unplaced: readonly string[];
  /** Robots of which some limits are not drawn: the station did not say them, or nothing says where they are. */
  undrawn_limits?: readonly string[];
};

/** Row of one robot with its pose, freshness, age as text, trail, look and measured speed. */
export type RobotSight = {
  robot: RobotRow;
  pose: PoseValue | null;
  freshness: Freshness;
  age: string;
  trail: readonly (readonly PoseValue[])[];
  look: RobotLook;
  speed_mps: number | null;
  joints: Readonly<Record<string, number>>;
};

/** A shorter step of the way cannot be seen. */
const STEP_M_MIN = 0.005;

/** Frames of one site are drawn in the frame most robots hang from; the limits of `unknown` robots could not be asked. */
export function buildScene(
  sights: readonly RobotSight[],
  constraints: readonly ConstraintRow[],
  open: readonly Proposal[],
  drafts: readonly PlacedLimit[] = [],
  plan: SitePlan | null = null,
  maps: readonly SeenMap[] = [],
  unknown: readonly string[] = [],
): SceneModel {
  const robots = sights.map(({ robot }) => robot);
  const frame = commonFrame(robots);
  const placed = sights.map((sight) => ({ sight, drawn: placeRobot(sight, frame) }));
  const limits = constraints.map((row) => ({ row, drawn: placeVolume(row, sights, frame) }));
  const lost = limits.filter(({ row, drawn }) => drawn.length === 0 && placeOf(row.constraint) !== null);
  const undrawn = new Set([...unknown, ...lost.flatMap(({ row }) => row.robot ?? [])]);
  return {
    frame,
    plan: plan && placePlan(plan, frame),
    has_maps: robots.some(({ has_map = false }) => has_map),
    maps: maps.flatMap((map) => placeMap(map, robots, frame) ?? []),
    outline: [],
    robots: placed.flatMap(({ drawn }) => (drawn ? [drawn] : [])),
    volumes: limits.flatMap(({ drawn }) => drawn),
    drafts: drafts.flatMap((limit) => placeVolume(limit, sights, frame)),
    goals: open.flatMap((proposal) => placeGoal(proposal, robots, frame) ?? []),
    denial: null,
    decision: null,
    near: false,
    unplaced: placed.flatMap(({ sight, drawn }) => (drawn ? [] : [sight.robot.id])),
    ...(undrawn.size > 0 ? { undrawn_limits: [...undrawn] } : {}),
  };
}

/** Everything that a drawing depends on, as JSON: of a plan and of maps, which have thousands of points, what tells them apart. */
export function inWords({ plan, maps, ...model }: SceneModel, look: unknown): string {
  const seen = maps.map(({ robot, map, corner_m, along_m }) => [robot, map.observed_mono_ms, corner_m, along_m]);
  return JSON.stringify([model, plan?.key, seen, look]);
}

/** The frame that most robots hang from; the scene of a site is drawn in it. */
export function commonFrame(robots: readonly RobotRow[]): string {
  const counts = new Map<string, number>();
  for (const robot of robots) counts.set(rootFrame(robot), (counts.get(rootFrame(robot)) ?? 0) + 1);
  // A tie goes by name: the scene must not change its frame from one answer to the next.
  const ranked = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  return ranked[0]?.[0] ?? "map";
}

function placeRobot(
  { robot, pose, freshness, age, trail, look, speed_mps, joints }: RobotSight,
  frame: string,
): SceneRobot | null {
  if (!pose || !pose.position_m.every(Number.isFinite)) return null;
  const position_m = toFrame(robot.transforms, pose.frame, frame, pose.position_m);
  if (!position_m) return null;
  // The pose of an arm is that of its tool, which has no place on the ground and no heading there.
  const isTool = robot.actuators.some(({ kind }) => kind === "tool");
  return {
    id: robot.id,
    position_m,
    heading_rad: !isTool && pose.orientation ? yaw(pose.orientation) : null,
    body_radius_m: robot.body_radius_m,
    freshness,
    age,
    simulated: robot.simulated,
    base_m: isTool ? toFrame(robot.transforms, robot.default_frame, frame, [0, 0, 0]) : null,
    stand_m: isTool ? axesOf(robot, frame, robot.default_frame, AXES) : standAt(robot, pose, frame),
    joints,
    trail_m: trail.map((stretch) => placeTrail(robot, stretch, frame)),
    shape: shapeOf(robot),
    look,
    speed_mps,
  };
}

/** The origin and the tips of the x and y axes. */
const AXES: readonly [Vec3, Vec3, Vec3] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];

/** Axes of `from` in the frame of the scene. */
function axesOf(
  robot: RobotRow,
  frame: string,
  from: string,
  axes: readonly [Vec3, Vec3, Vec3],
): readonly [Vec3, Vec3, Vec3] | null {
  const [origin, x, y] = axes.map((point) => toFrame(robot.transforms, from, frame, point));
  return origin && x && y ? [origin, x, y] : null;
}

/** Axes of a body that lies at the pose. */
function standAt(robot: RobotRow, { frame: from, position_m, orientation }: PoseValue, frame: string) {
  const at = (point: Vec3): Vec3 => {
    const [x, y, z] = orientation ? rotate(orientation, point) : point;
    return [position_m[0] + x, position_m[1] + y, position_m[2] + z];
  };
  return axesOf(robot, frame, from, [at(AXES[0]), at(AXES[1]), at(AXES[2])]);
}

/** The way behind a robot; who stands still makes none, so that nothing is drawn for it. */
function placeTrail(robot: RobotRow, trail: readonly PoseValue[], frame: string): Vec3[] {
  const way_m: Vec3[] = [];
  for (const point of trail) {
    const seen_m = toFrame(robot.transforms, point.frame, frame, point.position_m);
    const last_m = way_m.at(-1);
    if (seen_m && !(last_m && distance(seen_m, last_m) < STEP_M_MIN)) way_m.push(seen_m);
  }
  return way_m;
}

function placeVolume(row: PlacedLimit, sights: readonly RobotSight[], frame: string): SceneVolume[] {
  const robot = sights.find((sight) => sight.robot.id === row.robot)?.robot;
  const place = (point_m: Vec3) =>
    toFrame(robot?.transforms ?? [], row.frame ?? robot?.default_frame ?? frame, frame, point_m);
  const of = { robot: row.robot, constraint: row.id };
  const limit = placeOf(row.constraint);
  if (limit === null) return [];
  return match<PlaceLimit, SceneVolume[]>(limit, {
    Workspace: ({ x, y, z }) => {
      const box = placeBox({ min_m: [x[0], y[0], z[0]], max_m: [x[1], y[1], z[1]] }, place);
      return box ? [{ kind: "workspace", ...of, ...box }] : [];
    },
    KeepOutBox: ({ min, max }) => {
      const box = placeBox({ min_m: min, max_m: max }, place);
      return box ? [{ kind: "keep_out_box", ...of, ...box }] : [];
    },
    ForbiddenZone: ({ center, radius }) => {
      const center_m = place(center);
      return center_m ? [{ kind: "forbidden_zone", ...of, center_m, radius_m: radius }] : [];
    },
  });
}

/** The predicted motion of a proposal in `frame`; null if it predicts none, or its place is not known. */
export function placeGoal(
  { robot: id, preview }: Pick<Proposal, "robot" | "preview">,
  robots: readonly RobotRow[],
  frame: string,
): SceneGoal | null {
  const robot = robots.find((row) => row.id === id);
  if (!preview || !robot) return null;
  const way = [preview.from, ...preview.path].map((point) => toFrame(robot.transforms, preview.frame, frame, point));
  const path_m = way.flatMap((point) => (point ? [point] : []));
  const [from_m, to_m] = [path_m[0], path_m.at(-1)];
  if (!from_m || !to_m || path_m.length !== way.length) return null;
  const { body_radius_m } = robot;
  return { robot: robot.id, from_m, to_m, path_m, body_radius_m, duration_s: preview.duration_s };
}
