// A limit in words.

import type { ConstraintKind } from "../../bindings/ConstraintKind";
import type { ConstraintRow } from "../../bindings/ConstraintRow";
import { t } from "../../shared/i18n";
import { exactText, type Marks, WINDOW_MARKS } from "./decimal";

/** What a limit demands, with every digit and its unit. */
export function boundsText(limit: ConstraintKind, marks: Marks = WINDOW_MARKS): string {
  const text = (value: number) => exactText(value, marks);
  if ("Workspace" in limit) {
    const [[x0, x1], [y0, y1], [z0, z1]] = [limit.Workspace.x, limit.Workspace.y, limit.Workspace.z];
    return t("bounds.workspace", { x0: text(x0), x1: text(x1), y0: text(y0), y1: text(y1), z0: text(z0), z1: text(z1) });
  }
  if ("ForbiddenZone" in limit) {
    const [x, y, z] = limit.ForbiddenZone.center;
    return t("bounds.zone", { radius: text(limit.ForbiddenZone.radius), x: text(x), y: text(y), z: text(z) });
  }
  return "MaxVelocity" in limit ? t("bounds.speed", { value: text(limit.MaxVelocity) }) : t("bounds.force", { value: text(limit.MaxForce) });
}

/** Where a limit comes from. */
export function scopeText({ scope, mission }: Pick<ConstraintRow, "scope" | "mission">): string {
  return t(`scope.${scope}`, { mission: mission ?? "" });
}
