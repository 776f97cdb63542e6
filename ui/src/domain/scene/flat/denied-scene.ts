// The scene of one denied motion, as it was judged: nothing in it is live.

import type { ConstraintRow } from "../../../generated/bindings/ConstraintRow";
import type { PoseValue } from "../../../generated/bindings/PoseValue";
import type { RawCommand } from "../../../generated/bindings/RawCommand";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { buildScene, type SceneModel } from "./scene-model";
import { toFrame, type Vec3 } from "./transform";

/** A denied motion. `start` is the pose of the robot then, if that is known. */
export type DeniedMotion = {
  command: RawCommand | null;
  start: PoseValue | null;
  /** The frame of the points below. */
  frame: string;
  worst: { point_m: Vec3; nearest_m: Vec3 | null; depth: string } | null;
  constraints: readonly string[];
};

/** Limits of the robot, the way that was asked for, and where it is wrong; null if nothing of it has a place. */
export function deniedScene(
  robot: RobotRow,
  limits: readonly ConstraintRow[],
  denied: DeniedMotion,
  plan: SitePlan | null = null,
): SceneModel | null {
  const nowhere = {
    pose: null,
    freshness: "never",
    age: "",
    trail: [],
    look: "stale",
    speed_mps: null,
    joints: {},
  } as const;
  const scene = buildScene([{ robot, ...nowhere }], limits, [], [], plan);
  const place = (frame: string, point_m: Vec3) => toFrame(robot.transforms, frame, scene.frame, point_m);
  const asked = denied.command
    ? pointsOf(denied.command).map((point) => place(denied.command?.frame ?? robot.default_frame, point))
    : [];
  const start = denied.start && place(denied.start.frame, denied.start.position_m);
  const point_m = denied.worst && place(denied.frame, denied.worst.point_m);
  // Of a command that is not at hand the way is known as far as the worst point.
  const way = denied.command ? asked : [point_m];
  const path_m = [...(start && way.some(Boolean) ? [start] : []), ...way.flatMap((point) => (point ? [point] : []))];
  if (path_m.length === 0 && !point_m) return null;
  const nearest_m = denied.worst?.nearest_m ? place(denied.frame, denied.worst.nearest_m) : null;
  const worst = point_m && denied.worst ? { point_m, nearest_m, depth: denied.worst.depth } : null;
  return { ...scene, unplaced: [], denial: { path_m, worst, constraints: denied.constraints }, near: true };
}

/** The places a command names; what is no place in space names none. */
export function pointsOf({ motion }: RawCommand): Vec3[] {
  if ("pose_goal" in motion) return [motion.pose_goal.position_m].flatMap(parsePoint);
  if ("path" in motion) return motion.path.points_m.flatMap(parsePoint);
  return [];
}

function parsePoint(numbers: readonly number[]): Vec3[] {
  const [x, y, z] = numbers;
  if (x === undefined || y === undefined || z === undefined || numbers.length !== 3) return [];
  return numbers.every(Number.isFinite) ? [[x, y, z]] : [];
}
