// The kinds of limits as fields: one number each, named like the station names them in its refusals.

import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { NumberSpec } from "../../design/fields/NumberField";
import { t } from "../../locales/i18n";
import { match } from "../../host/variants";
import type { Vec3 } from "../../domain/scene/flat/transform";
import { limitName } from "../../domain/verdict/verdict-words";

/** Kinds that a new limit can have in the form: those that are numbers alone, or numbers of one joint. */
export const KINDS = [
  "workspace",
  "max_velocity",
  "forbidden_zone",
  "keep_out_box",
  "max_force",
  "max_acceleration",
  "goal_jump",
  "stopping_distance",
  "approach_speed",
  "joint_limits",
  "sliding_joint_limits",
] as const;

/** A kind as the form tells them apart: joints that turn and joints that slide have other fields. */
export type KindName = (typeof KINDS)[number] | "command_rate";

/** One number of a limit. `path` is the station's name of it. */
export type Field = NumberSpec & { path: string; optional?: true };

/** The numbers of a limit by path. */
export type Numbers = ReadonlyMap<string, number>;

const AXES = ["x", "y", "z"] as const;
const CORNERS = ["min", "max"] as const;
/** A hand's breadth, a walking pace's twentieth, a light touch: what one key press may change. */
const STEP_M = 0.05;
const STEP_MPS = 0.05;
const STEP_MPS2 = 0.1;
const STEP_N = 1;
const STEP_RAD = 0.05;
const STEP_HZ = 1;

/** The kind of a limit. */
export function kindOf(limit: ConstraintKind): KindName {
  return match<ConstraintKind, KindName>(limit, {
    Workspace: () => "workspace",
    MaxVelocity: () => "max_velocity",
    ForbiddenZone: () => "forbidden_zone",
    KeepOutBox: () => "keep_out_box",
    MaxForce: () => "max_force",
    MaxAcceleration: () => "max_acceleration",
    CommandRate: () => "command_rate",
    GoalJump: () => "goal_jump",
    StoppingDistance: () => "stopping_distance",
    ApproachSpeed: () => "approach_speed",
    JointLimits: ({ position_rad }) => (position_rad ? "joint_limits" : "sliding_joint_limits"),
  });
}

/** The name of a kind. */
export function kindText(kind: KindName): string {
  if (kind === "command_rate") return t("field.command_rate");
  return kind === "sliding_joint_limits" ? t("field.sliding_joint_limits") : limitName(kind);
}

/** `constraint_type` of the wire. */
export function wireTypeOf(kind: KindName): string {
  return kind === "sliding_joint_limits" ? "joint_limits" : kind;
}

/** Subject of the limits of each kind. */
const SUBJECTS: Readonly<Record<KindName, "place" | "joint" | "actuator" | "motion">> = {
  workspace: "place",
  forbidden_zone: "place",
  keep_out_box: "place",
  joint_limits: "joint",
  sliding_joint_limits: "joint",
  command_rate: "actuator",
  max_velocity: "motion",
  max_force: "motion",
  max_acceleration: "motion",
  goal_jump: "motion",
  stopping_distance: "motion",
  approach_speed: "motion",
};

/** True if a kind is about one joint. */
export function hasJoint(kind: KindName): boolean {
  return SUBJECTS[kind] === "joint";
}

/** The actuator a limit counts commands of, or the joint it is about; empty for every other kind. */
export function actuatorOf(limit: ConstraintKind): string {
  if ("JointLimits" in limit) return limit.JointLimits.joint;
  return "CommandRate" in limit ? limit.CommandRate.actuator : "";
}

/** True if limits of a kind have a place, and hence a frame. */
export function hasPlace(kind: KindName): boolean {
  return SUBJECTS[kind] === "place";
}

/** Height of a zone drawn before it has any numbers, metres: from below the floor to above a person. */
const ZONE_Z_M: [number, number] = [-0.5, 2];
/** Room around a robot on the axis that a drawing does not show, metres. */
const ROOM_M = 1;

/** A limit of a kind with a place, to be drawn near a robot; null for any other kind. */
export function blankOf(kind: KindName, at_m: Vec3): ConstraintKind | null {
  if (kind === "keep_out_box")
    return { KeepOutBox: { min: [at_m[0], at_m[1], ZONE_Z_M[0]], max: [at_m[0], at_m[1], ZONE_Z_M[1]] } };
  if (kind === "forbidden_zone") return { ForbiddenZone: { center: [...at_m], radius: ROOM_M } };
  return aroundPose(kind, at_m, ROOM_M);
}

/** The workspace with room around a pose; null for a kind that has nothing to do with the place of a robot. */
export function aroundPose(kind: KindName, at_m: Vec3, room_m: number): ConstraintKind | null {
  const span = (value: number): [number, number] => [toCentimetre(value - room_m), toCentimetre(value + room_m)];
  return kind === "workspace" ? { Workspace: { x: span(at_m[0]), y: span(at_m[1]), z: span(at_m[2]) } } : null;
}

function toCentimetre(value_m: number): number {
  // Adding 0 makes 0 of the -0 that rounding leaves.
  return Math.round(value_m * 100) / 100 + 0;
}

/** The fields of a kind, in reading order. */
export function fieldsOf(kind: KindName): Field[] {
  const metres = { unit: "m", step: STEP_M };
  switch (kind) {
    case "workspace":
      return AXES.flatMap((axis) => [
        { path: `params_json.${axis}[0]`, label: t("field.min", { axis }), ...metres },
        { path: `params_json.${axis}[1]`, label: t("field.max", { axis }), ...metres },
      ]);
    case "keep_out_box":
      return CORNERS.flatMap((end) =>
        AXES.map((axis, index) => ({
          path: `params_json.${end}[${index}]`,
          label: t(`field.${end}`, { axis }),
          ...metres,
        })),
      );
    case "forbidden_zone":
      return [
        ...AXES.map((axis, index) => ({
          path: `params_json.center[${index}]`,
          label: t("field.center", { axis }),
          ...metres,
        })),
        { path: "params_json.radius", label: t("field.radius"), ...metres },
      ];
    case "max_velocity":
      return [{ path: "params_json", label: t("field.speed"), unit: "m/s", step: STEP_MPS }];
    case "max_force":
      return [{ path: "params_json", label: t("field.force"), unit: "N", step: STEP_N }];
    case "max_acceleration":
      return [{ path: "params_json", label: t("field.acceleration"), unit: "m/s²", step: STEP_MPS2 }];
    case "goal_jump":
      return [{ path: "params_json", label: t("field.goal_jump"), ...metres }];
    case "stopping_distance":
      return [{ path: "params_json", label: t("field.stopping_distance"), ...metres }];
    case "command_rate":
      return [
        { path: "params_json.hz", label: t("field.hz"), unit: "Hz", step: STEP_HZ },
        { path: "params_json.burst", label: t("field.burst"), unit: "", step: 1 },
      ];
    case "joint_limits":
      return turningJointFields();
    case "sliding_joint_limits":
      return slidingJointFields();
    case "approach_speed":
      return [
        { path: "params_json.decel_mps2", label: t("field.decel"), unit: "m/s²", step: STEP_MPS2 },
        { path: "params_json.floor_mps", label: t("field.floor"), unit: "m/s", step: STEP_MPS },
      ];
  }
}

function turningJointFields(): Field[] {
  return [
    { path: "params_json.position_rad[0]", label: t("field.joint_lo"), unit: "rad", step: STEP_RAD },
    { path: "params_json.position_rad[1]", label: t("field.joint_hi"), unit: "rad", step: STEP_RAD },
    { path: "params_json.velocity_radps", label: t("field.joint_speed"), unit: "rad/s", step: STEP_RAD },
    {
      path: "params_json.acceleration_radps2",
      label: t("field.joint_acceleration"),
      unit: "rad/s²",
      step: STEP_RAD,
      optional: true,
    },
    { path: "params_json.effort_nm", label: t("field.joint_effort"), unit: "Nm", step: STEP_N, optional: true },
  ];
}

function slidingJointFields(): Field[] {
  const metres = { unit: "m", step: STEP_M };
  return [
    { path: "params_json.position_m[0]", label: t("field.joint_lo"), ...metres },
    { path: "params_json.position_m[1]", label: t("field.joint_hi"), ...metres },
    { path: "params_json.velocity_mps", label: t("field.joint_speed"), unit: "m/s", step: STEP_MPS },
    {
      path: "params_json.acceleration_mps2",
      label: t("field.joint_acceleration"),
      unit: "m/s²",
      step: STEP_MPS2,
      optional: true,
    },
    { path: "params_json.effort_n", label: t("field.joint_effort"), unit: "N", step: STEP_N, optional: true },
  ];
}

/** `params_json` before it is text. */
export function paramsOf(limit: ConstraintKind): unknown {
  return Object.values(limit)[0];
}

/** The numbers of a limit, by the paths of [`fieldsOf`]; an optional one that it does not set is not there. */
export function numbersOf(limit: ConstraintKind): Numbers {
  const numbers = fieldsOf(kindOf(limit)).map(({ path, optional }) => ({
    path,
    optional,
    value: numberAt(paramsOf(limit), path),
  }));
  return new Map(
    numbers.filter(({ optional, value }) => !optional || !Number.isNaN(value)).map(({ path, value }) => [path, value]),
  );
}

/** The limit of a kind with these numbers. `actuator` is the actuator or joint of a kind that names one. */
export function limitOf(kind: KindName, numbers: Numbers, actuator = ""): ConstraintKind {
  const at = (path: string) => numbers.get(path) ?? Number.NaN;
  const set = (name: string) => (numbers.has(`params_json.${name}`) ? { [name]: at(`params_json.${name}`) } : {});
  const value = at("params_json");
  const span = (axis: string): [number, number] => [at(`params_json.${axis}[0]`), at(`params_json.${axis}[1]`)];
  const point = (name: string): [number, number, number] => [
    at(`params_json.${name}[0]`),
    at(`params_json.${name}[1]`),
    at(`params_json.${name}[2]`),
  ];
  switch (kind) {
    case "workspace":
      return { Workspace: { x: span("x"), y: span("y"), z: span("z") } };
    case "keep_out_box":
      return { KeepOutBox: { min: point("min"), max: point("max") } };
    case "forbidden_zone":
      return { ForbiddenZone: { center: point("center"), radius: at("params_json.radius") } };
    case "max_velocity":
      return { MaxVelocity: value };
    case "max_force":
      return { MaxForce: value };
    case "max_acceleration":
      return { MaxAcceleration: value };
    case "goal_jump":
      return { GoalJump: value };
    case "stopping_distance":
      return { StoppingDistance: value };
    case "command_rate":
      return { CommandRate: { actuator, hz: at("params_json.hz"), burst: at("params_json.burst") } };
    case "joint_limits":
      return {
        JointLimits: {
          joint: actuator,
          position_rad: span("position_rad"),
          velocity_radps: at("params_json.velocity_radps"),
          ...set("acceleration_radps2"),
          ...set("effort_nm"),
        },
      };
    case "sliding_joint_limits":
      return {
        JointLimits: {
          joint: actuator,
          position_m: span("position_m"),
          velocity_mps: at("params_json.velocity_mps"),
          ...set("acceleration_mps2"),
          ...set("effort_n"),
        },
      };
    case "approach_speed":
      return { ApproachSpeed: { decel_mps2: at("params_json.decel_mps2"), floor_mps: at("params_json.floor_mps") } };
  }
}

/** The number at a path of the station, for example `params_json.center[0]`. */
function numberAt(params: unknown, path: string): number {
  const steps = path
    .split(/[.[\]]+/)
    .slice(1)
    .filter((step) => step !== "");
  const found = steps.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    params,
  );
  return typeof found === "number" ? found : Number.NaN;
}
