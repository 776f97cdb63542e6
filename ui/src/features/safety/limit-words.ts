// A limit in words.

import type { ConstraintKind } from "../../bindings/ConstraintKind";
import type { ConstraintRow } from "../../bindings/ConstraintRow";
import { t } from "../../shared/i18n";
import { exactText, type Marks, WINDOW_MARKS } from "./decimal";

/** What a limit demands, with every digit and its unit, in pieces that should not be broken. */
export function boundsOf(limit: ConstraintKind, marks: Marks = WINDOW_MARKS): string[] {
  const text = (value: number) => exactText(value, marks);
  if ("Workspace" in limit) {
    return Object.entries(limit.Workspace).map(([axis, [min, max]]) => t("bounds.span", { axis, min: text(min), max: text(max) }));
  }
  if ("ForbiddenZone" in limit) {
    const [x, y, z] = limit.ForbiddenZone.center;
    return [t("bounds.zone", { radius: text(limit.ForbiddenZone.radius) }), t("bounds.zone_center", { x: text(x), y: text(y), z: text(z) })];
  }
  return ["MaxVelocity" in limit ? t("bounds.speed", { value: text(limit.MaxVelocity) }) : t("bounds.force", { value: text(limit.MaxForce) })];
}

/** Where a limit comes from. */
export function scopeText({ scope, mission }: Pick<ConstraintRow, "scope" | "mission">): string {
  return t(`scope.${scope}`, { mission: mission ?? "" });
}
