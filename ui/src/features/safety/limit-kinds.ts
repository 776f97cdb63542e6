// The kinds of limits as fields: one number each, named like the station names them in its refusals.

import type { ConstraintKind } from "../../bindings/ConstraintKind";
import { t } from "../../shared/i18n";

/** `constraint_type` of the wire. */
export type KindName = "workspace" | "max_velocity" | "forbidden_zone" | "max_force";

/** Every kind, in the order of the form. */
export const KINDS: readonly KindName[] = ["workspace", "max_velocity", "forbidden_zone", "max_force"];

/** One number of a limit. `path` is the station's name of it. */
export type Field = { path: string; label: string; unit: string; step: number };

/** The numbers of a limit by path. */
export type Numbers = ReadonlyMap<string, number>;

const AXES = ["x", "y", "z"] as const;
/** A hand's breadth, a walking pace's twentieth, a light touch: what one key press may change. */
const STEP_M = 0.05;
const STEP_MPS = 0.05;
const STEP_N = 1;

/** The kind of a limit. */
export function kindOf(limit: ConstraintKind): KindName {
  if ("Workspace" in limit) return "workspace";
  if ("MaxVelocity" in limit) return "max_velocity";
  if ("ForbiddenZone" in limit) return "forbidden_zone";
  return "max_force";
}

/** Whether limits of a kind have a place, and hence a frame. */
export function hasPlace(kind: KindName): boolean {
  switch (kind) {
    case "workspace":
    case "forbidden_zone":
      return true;
    case "max_velocity":
    case "max_force":
      return false;
  }
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
    case "forbidden_zone":
      return [
        ...AXES.map((axis, index) => ({ path: `params_json.center[${index}]`, label: t("field.center", { axis }), ...metres })),
        { path: "params_json.radius", label: t("field.radius"), ...metres },
      ];
    case "max_velocity":
      return [{ path: "params_json", label: t("field.speed"), unit: "m/s", step: STEP_MPS }];
    case "max_force":
      return [{ path: "params_json", label: t("field.force"), unit: "N", step: STEP_N }];
  }
}

/** `params_json` before it is text. */
export function paramsOf(limit: ConstraintKind): unknown {
  if ("Workspace" in limit) return limit.Workspace;
  if ("MaxVelocity" in limit) return limit.MaxVelocity;
  if ("ForbiddenZone" in limit) return limit.ForbiddenZone;
  return limit.MaxForce;
}

/** The numbers of a limit, by the paths of [`fieldsOf`]. */
export function numbersOf(limit: ConstraintKind): Numbers {
  if ("Workspace" in limit) {
    return new Map(AXES.flatMap((axis) => limit.Workspace[axis].map((value, end) => [`params_json.${axis}[${end}]`, value] as const)));
  }
  if ("ForbiddenZone" in limit) {
    const { center, radius } = limit.ForbiddenZone;
    return new Map([...center.map((value, index) => [`params_json.center[${index}]`, value] as const), ["params_json.radius", radius]]);
  }
  return new Map([["params_json", "MaxVelocity" in limit ? limit.MaxVelocity : limit.MaxForce]]);
}

/** The limit of a kind with these numbers. */
export function limitOf(kind: KindName, numbers: Numbers): ConstraintKind {
  const at = (path: string) => numbers.get(path) ?? Number.NaN;
  const span = (axis: string): [number, number] => [at(`params_json.${axis}[0]`), at(`params_json.${axis}[1]`)];
  switch (kind) {
    case "workspace":
      return { Workspace: { x: span("x"), y: span("y"), z: span("z") } };
    case "forbidden_zone":
      return {
        ForbiddenZone: {
          center: [at("params_json.center[0]"), at("params_json.center[1]"), at("params_json.center[2]")],
          radius: at("params_json.radius"),
        },
      };
    case "max_velocity":
      return { MaxVelocity: at("params_json") };
    case "max_force":
      return { MaxForce: at("params_json") };
  }
}
