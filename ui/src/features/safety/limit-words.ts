// A limit in words.

import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import { exactText, type Marks, windowMarks } from "../../design/fields/decimal";
import { t } from "../../locales/i18n";

/** Bounds of a limit, with every digit and its unit, in pieces that should not be broken. */
export function boundsOf(limit: ConstraintKind, marks: Marks = windowMarks()): string[] {
  const text = (value: number) => exactText(value, marks);
  if ("Workspace" in limit) {
    return Object.entries(limit.Workspace).map(([axis, [min, max]]) =>
      t("bounds.span", { axis, min: text(min), max: text(max) }),
    );
  }
  if ("ForbiddenZone" in limit) {
    return [
      t("bounds.zone", { radius: text(limit.ForbiddenZone.radius) }),
      t("bounds.zone_center", point(limit.ForbiddenZone.center, text)),
    ];
  }
  if ("KeepOutBox" in limit) {
    return [
      t("bounds.box_min", point(limit.KeepOutBox.min, text)),
      t("bounds.box_max", point(limit.KeepOutBox.max, text)),
    ];
  }
  if ("CommandRate" in limit) return [t("bounds.rate", { ...limit.CommandRate, hz: text(limit.CommandRate.hz) })];
  if ("ApproachSpeed" in limit) {
    const { decel_mps2, floor_mps } = limit.ApproachSpeed;
    return [t("bounds.approach", { decel: text(decel_mps2) }), t("bounds.floor", { floor: text(floor_mps) })];
  }
  if ("JointLimits" in limit) {
    const {
      joint,
      position_rad,
      velocity_radps,
      position_m,
      velocity_mps,
      acceleration_radps2,
      acceleration_mps2,
      effort_nm,
      effort_n,
    } = limit.JointLimits;
    const acceleration = acceleration_radps2 ?? acceleration_mps2;
    const effort = effort_nm ?? effort_n;
    const [unit, span, speed] = position_rad ? ["rad", position_rad, velocity_radps] : ["m", position_m, velocity_mps];
    const [low = Number.NaN, high = Number.NaN] = span ?? [];
    return [
      t("bounds.joint", { joint, unit, min: text(low), max: text(high) }),
      t("bounds.joint_speed", { unit, value: text(speed ?? Number.NaN) }),
      ...(acceleration === undefined ? [] : [t("bounds.joint_acceleration", { unit, value: text(acceleration) })]),
      ...(effort === undefined
        ? []
        : [t("bounds.joint_effort", { unit: position_rad ? "Nm" : "N", value: text(effort) })]),
    ];
  }
  if ("MaxVelocity" in limit) return [t("bounds.speed", { value: text(limit.MaxVelocity) })];
  if ("MaxForce" in limit) return [t("bounds.force", { value: text(limit.MaxForce) })];
  if ("MaxAcceleration" in limit) return [t("bounds.acceleration", { value: text(limit.MaxAcceleration) })];
  if ("GoalJump" in limit) return [t("bounds.jump", { value: text(limit.GoalJump) })];
  return [t("bounds.stopping", { value: text(limit.StoppingDistance) })];
}

function point(
  [x, y, z]: readonly [number, number, number],
  text: (value: number) => string,
): { x: string; y: string; z: string } {
  return { x: text(x), y: text(y), z: text(z) };
}

/** Origin of a limit. */
export function scopeText({ scope, mission }: Pick<ConstraintRow, "scope" | "mission">): string {
  return t(`scope.${scope}`, { mission: mission ?? "" });
}
