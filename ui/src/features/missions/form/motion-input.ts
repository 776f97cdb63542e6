// The input of a step that moves a robot, as the fields of a form: what the form does not show stays as it is.

import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { Vec3 } from "../../../domain/scene/flat/transform";

/** The motions that have fields; the others are written as JSON. */
export const FIELD_MOTIONS = ["pose_goal", "gripper", "switch"] as const;
export type FieldMotion = (typeof FIELD_MOTIONS)[number];

/** The input of a motion in fields. */
export type MotionInput = {
  robot: string;
  actuator: string;
  frame: string | null;
  motion:
    | { kind: "pose_goal"; position_m: Vec3; speed_mps: number | null }
    | { kind: "gripper"; opening_m: number }
    | { kind: "switch"; on: boolean };
};

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

function motionOf(value: unknown): MotionInput["motion"] | null {
  const fields = fieldsOf(value);
  const [kind, ...more] = Object.keys(fields ?? {});
  const inner = kind === undefined ? null : fieldsOf(fields?.[kind]);
  if (inner === null || more.length > 0) return null;
  switch (kind) {
    case "pose_goal": {
      const position_m = pointOf(inner["position_m"]);
      const speed_mps = inner["speed_mps"] ?? null;
      if (!position_m || (speed_mps !== null && typeof speed_mps !== "number")) return null;
      return { kind, position_m, speed_mps };
    }
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
export function newMotion(kind: FieldMotion, at_m: Vec3 | null): MotionInput["motion"] {
  switch (kind) {
    case "pose_goal":
      return { kind, position_m: at_m ?? [0, 0, 0], speed_mps: 0.1 };
    case "gripper":
      return { kind, opening_m: 0 };
    case "switch":
      return { kind, on: false };
  }
}

/** The motions of an actuator that have fields. */
export function kindsOf(robot: RobotRow | undefined, actuator: string): readonly FieldMotion[] {
  const motions = robot?.actuators.find(({ id }) => id === actuator)?.motions ?? [];
  return FIELD_MOTIONS.filter((kind) => motions.includes(kind));
}

function pointOf(value: unknown): Vec3 | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [x, y, z] = value as unknown[];
  return typeof x === "number" && typeof y === "number" && typeof z === "number" ? [x, y, z] : null;
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}
