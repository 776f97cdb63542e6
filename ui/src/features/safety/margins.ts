// Distances of a measured point from the limits that have a place. An illustration: the station alone judges.

import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { PoseValue } from "../../generated/bindings/PoseValue";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { t } from "../../locales/i18n";
import { match } from "../../host/variants";
import { placeOf, type PlaceLimit } from "../../domain/scene/flat/limit-place";
import { boxDistance, distance, toFrame, type Vec3 } from "../../domain/scene/flat/transform";

/** The distance to one surface; negative beyond it, null where the frames cannot be compared. */
export type Margin = { label: string; distance_m: number | null };

/** The distances to one limit. */
export type LimitMargins = { row: ConstraintRow; frame: string; margins: readonly Margin[] };

const AXES = ["x", "y", "z"] as const;

/** Distances in each limit's own frame, so that a turned workspace is not measured by the box around it. */
export function marginsOf(rows: readonly ConstraintRow[], robot: RobotRow, pose: PoseValue): LimitMargins[] {
  return rows.flatMap((row) => {
    const frame = row.frame ?? robot.default_frame;
    const margins = surfacesOf(row, toFrame(robot.transforms, pose.frame, frame, pose.position_m));
    return margins.length === 0 ? [] : [{ row, frame, margins }];
  });
}

function surfacesOf({ constraint }: ConstraintRow, point_m: Vec3 | null): Margin[] {
  const place = placeOf(constraint);
  if (place === null) return [];
  return match<PlaceLimit, Margin[]>(place, {
    Workspace: (spans) =>
      AXES.flatMap((axis, index) => {
        const [min, max] = spans[axis];
        const at = point_m?.[index] ?? null;
        return [
          { label: t("field.min", { axis }), distance_m: at === null ? null : at - min },
          { label: t("field.max", { axis }), distance_m: at === null ? null : max - at },
        ];
      }),
    ForbiddenZone: ({ center, radius }) => {
      const distance_m = point_m && distance(point_m, center) - radius;
      return [{ label: t("margins.surface"), distance_m }];
    },
    KeepOutBox: ({ min, max }) => [
      { label: t("margins.surface"), distance_m: point_m && boxDistance(min, max, point_m) },
    ],
  });
}
