// The input of a step that moves a robot, as the fields of a form: what the form does not show stays as it is.

import type { JointRow } from "../../../generated/bindings/JointRow";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { Vec3 } from "../../../domain/scene/flat/transform";

/** The motions that have fields; the others are written as JSON. */
export const FIELD_MOTIONS = ["pose_goal", "path", "joints", "gripper", "switch"] as const;
export type FieldMotion = (typeof FIELD_MOTIONS)[number];

/** A list of more rows is no longer looked over: a longer path is edited in the text. */
export const WAYPOINTS_MAX = 100;

export type PoseGoal = { kind: "pose_goal"; position_m: Vec3; speed_mps: number | null };
export type Path = { kind: "path"; points_m: readonly Vec3[]; speed_mps: number | null };
/** `positions_rad` has one for each name: metres for a joint that slides. */
export type JointGoal = {
  kind: "joints";
  names: readonly string[];
  positions_rad: readonly number[];
  speed_radps: number | null;
};
type Gripper = { kind: "gripper"; opening_m: number };
type Switch = { kind: "switch"; on: boolean };
export type Motion = PoseGoal | Path | JointGoal | Gripper | Switch;

/** The input of a motion in fields. */
export type MotionInput = { robot: string; actuator: string; frame: string | null; motion: Motion };

/** The state of a robot from which a new motion begins; null where nothing current says it. */
export type Now = { at_m: Vec3 | null; joints: readonly JointRow[]; positionOf: (joint: string) => number | null };

/** Speeds of a new motion: slow, so that nothing is fast that nobody made fast. */
const SPEED_MPS = 0.1;
const SPEED_RADPS = 0.1;

type Fields = Readonly<Record<string, unknown>>;

/** Reads an input; null if it is written in a way that fields cannot show. An empty one has no robot yet. */
export function readMotion(input: unknown): MotionInput | null {
  const fields = fieldsOf(input);
  if (fields === null) return null;
  const { robot = "", actuator = "", frame = null } = fields;
  if (typeof robot !== "string" || typeof actuator !== "string") return null;
  if (frame !== null && typeof frame !== "string") return null;
  const motion = motionOf(fields["motion"] ?? { pose_goal: { position_m: [0, 0, 0] } });
  return motion && { robot, actuator, frame, motion };
}

function motionOf(value: unknown): Motion | null {
  const fields = fieldsOf(value);
  const [kind, ...more] = Object.keys(fields ?? {});
  const inner = kind === undefined ? null : fieldsOf(fields?.[kind]);
  // A command with two motions is a mistake that only the text can show.
  if (inner === null || more.length > 0) return null;
  switch (kind) {
    case "pose_goal": {
      const [position_m, speed_mps] = [pointOf(inner["position_m"]), numberOrNone(inner["speed_mps"])];
      return position_m && speed_mps !== undefined ? { kind, position_m, speed_mps } : null;
    }
    case "path": {
      const [points_m, speed_mps] = [pointsOf(inner["points_m"]), numberOrNone(inner["speed_mps"])];
      return points_m && speed_mps !== undefined ? { kind, points_m, speed_mps } : null;
    }
    case "joints":
      return jointsOf(inner);
    case "gripper": {
      const opening_m = inner["opening_m"];
      return typeof opening_m === "number" ? { kind, opening_m } : null;
    }
    case "switch":
      return typeof inner["on"] === "boolean" ? { kind, on: inner["on"] } : null;
    case undefined:
    default:
      return null;
  }
}

function jointsOf(inner: Fields): JointGoal | null {
  const [names, positions_rad] = [listOf(inner["names"], isText), listOf(inner["positions_rad"], isNumber)];
  const speed_radps = numberOrNone(inner["speed_radps"]);
  if (!names || !positions_rad || speed_radps === undefined) return null;
  const isPaired = names.length === positions_rad.length && new Set(names).size === names.length;
  return isPaired ? { kind: "joints", names, positions_rad, speed_radps } : null;
}

/** The input that the fields stand for. Keys of `before` that they do not show stay where the kind is the same. */
export function writeMotion(before: unknown, { robot, actuator, frame, motion }: MotionInput): unknown {
  const rest = { ...fieldsOf(before) };
  if (frame === null) delete rest["frame"];
  const { kind, ...shown } = motion;
  const inner: Record<string, unknown> = { ...fieldsOf(fieldsOf(rest["motion"])?.[kind]) };
  for (const [name, value] of Object.entries(shown)) {
    if (value === null) delete inner[name];
    else inner[name] = value;
  }
  return { ...rest, robot, actuator, ...(frame === null ? {} : { frame }), motion: { [kind]: inner } };
}

/** A motion of a kind, with values that do no more than what is so already. */
export function newMotion(kind: FieldMotion, now: Now): Motion {
  switch (kind) {
    case "pose_goal":
      return { kind, position_m: now.at_m ?? [0, 0, 0], speed_mps: SPEED_MPS };
    case "path":
      return { kind, points_m: [now.at_m ?? [0, 0, 0]], speed_mps: SPEED_MPS };
    case "joints": {
      const none = { kind, names: [], positions_rad: [], speed_radps: SPEED_RADPS } as const;
      return withJoints(none, now.joints, now.positionOf);
    }
    case "gripper":
      return { kind, opening_m: 0 };
    case "switch":
      return { kind, on: false };
  }
}

/** The goal for exactly these joints, in their order: a position that it does not name is taken from `positionOf`. */
export function withJoints(goal: JointGoal, joints: readonly JointRow[], positionOf: Now["positionOf"]): JointGoal {
  // Zero may lie outside of the limits of a joint.
  const positionIn = ({ name, position: [low, high] }: JointRow) =>
    goal.positions_rad[goal.names.indexOf(name)] ?? positionOf(name) ?? Math.min(Math.max(0, low), high);
  return { ...goal, names: joints.map(({ name }) => name), positions_rad: joints.map(positionIn) };
}

/** True if the goal names exactly these joints in their order: the robot takes no other goal. */
export function namesExactly({ names }: JointGoal, joints: readonly JointRow[]): boolean {
  return names.length === joints.length && joints.every(({ name }, at) => names[at] === name);
}

/** The motions of an actuator that have fields. */
export function kindsOf(robot: RobotRow | undefined, actuator: string): readonly FieldMotion[] {
  const motions = robot?.actuators.find(({ id }) => id === actuator)?.motions ?? [];
  return FIELD_MOTIONS.filter((kind) => motions.includes(kind));
}

/** The joints of an actuator. */
export function jointRowsOf(robot: RobotRow | undefined, actuator: string): readonly JointRow[] {
  return robot?.actuators.find(({ id }) => id === actuator)?.joints ?? [];
}

function pointsOf(value: unknown): Vec3[] | null {
  const points = Array.isArray(value) ? value.map(pointOf) : [];
  const known = points.flatMap((point) => (point ? [point] : []));
  const isWhole = known.length === points.length && known.length > 0 && known.length <= WAYPOINTS_MAX;
  return isWhole ? known : null;
}

function pointOf(value: unknown): Vec3 | null {
  const [x, y, z, ...more] = listOf(value, isNumber) ?? [];
  return x === undefined || y === undefined || z === undefined || more.length > 0 ? null : [x, y, z];
}

function listOf<Entry>(value: unknown, is: (entry: unknown) => entry is Entry): Entry[] | null {
  return Array.isArray(value) && value.every(is) ? value : null;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Null where there is none, undefined where it is no number. */
function numberOrNone(value: unknown): number | null | undefined {
  const written = value ?? null;
  return written === null || typeof written === "number" ? written : undefined;
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}
