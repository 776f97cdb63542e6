// The scene in words (U-1107): the same model, for those who cannot see or trust a drawing.

import { formatNumber, formatPosition } from "../../../design/format/numbers";
import { isCurrent } from "../../../design/format/freshness";
import { t } from "../../../locales/i18n";
import type { SceneModel, SceneRobot, SceneVolume } from "./scene-model";
import { areasAt } from "./scene-plan";
import { boxDistance, type Vec3 } from "./transform";

/** One sentence per robot, goal and draft. */
export function sceneSentences(model: SceneModel): string[] {
  return [
    ...model.robots.map((robot) => robotSentence(model, robot)),
    ...model.goals.map((goal) =>
      t("twin.goal", { robot: goal.robot, position: formatPosition(goal.to_m), frame: model.frame }),
    ),
    ...model.drafts.map((draft) => draftSentence(model, draft)),
    ...model.unplaced.map((robot) => t("twin.unplaced", { robot, frame: model.frame })),
    ...planSentences(model),
  ];
}

/** Names of areas in the sentence about the plan. */
const AREAS_MAX = 12;

function planSentences({ plan }: SceneModel): string[] {
  if (!plan) return [];
  const names = plan.areas.slice(0, AREAS_MAX).map(({ name }) => name);
  const more = plan.areas.length - names.length;
  const areas = [...names, ...(more > 0 ? [t("twin.more_areas", { count: more })] : [])].join(", ");
  return [areas === "" ? t("twin.plan_walls") : t("twin.plan", { areas })];
}

function robotSentence(model: SceneModel, robot: SceneRobot): string {
  const place = { robot: robot.id, position: formatPosition(robot.position_m), frame: model.frame };
  if (!isCurrent(robot.freshness)) return t("twin.last_seen", { ...place, age: robot.age });
  const limits = model.volumes
    .filter((volume) => volume.robot === null || volume.robot === robot.id)
    .map((volume) => distanceSentence(volume, robot));
  const areas = areasAt(model.plan, robot.position_m).map((area) => t("twin.in_area", { area }));
  return [t("twin.robot", place), ...areas, ...limits].join("; ");
}

function draftSentence({ frame }: SceneModel, draft: SceneVolume): string {
  switch (draft.kind) {
    case "workspace":
      return t("twin.draft_workspace", { min: formatPosition(draft.min_m), max: formatPosition(draft.max_m), frame });
    case "keep_out_box":
      return t("twin.draft_box", { min: formatPosition(draft.min_m), max: formatPosition(draft.max_m), frame });
    case "forbidden_zone":
      return t("twin.draft_zone", {
        center: formatPosition(draft.center_m),
        radius: formatNumber(draft.radius_m, 2),
        frame,
      });
  }
}

function distanceSentence(volume: SceneVolume, { position_m: point_m, base_m }: SceneRobot): string {
  switch (volume.kind) {
    case "workspace": {
      // A robot that drives on the floor cannot get nearer to a floor or a ceiling.
      const face = nearestFace(volume.min_m, volume.max_m, point_m, base_m ? ["x", "y", "z"] : ["x", "y"]);
      const distance = formatNumber(Math.abs(face.distance_m), 2);
      return face.distance_m >= 0
        ? t("twin.inside", { distance, face: face.name })
        : t("twin.outside", { distance, face: face.name });
    }
    case "keep_out_box": {
      const away_m = boxDistance(volume.min_m, volume.max_m, point_m);
      const distance = formatNumber(Math.abs(away_m), 2);
      return away_m >= 0 ? t("twin.keep_out", { distance }) : t("twin.in_keep_out", { distance });
    }
    case "forbidden_zone": {
      const away_m =
        Math.hypot(...point_m.map((value, axis) => value - (volume.center_m[axis] ?? 0))) - volume.radius_m;
      const distance = formatNumber(Math.abs(away_m), 2);
      return away_m >= 0 ? t("twin.zone", { distance }) : t("twin.in_zone", { distance });
    }
  }
}

type AxisName = "x" | "y" | "z";

/** The face of a box a point is nearest to; the distance is negative outside. */
function nearestFace(
  min_m: Vec3,
  max_m: Vec3,
  point_m: Vec3,
  axes: readonly AxisName[],
): { name: string; distance_m: number } {
  const faces = axes.flatMap((axis, index) => {
    const at = point_m[index] ?? Number.NaN;
    return [
      { name: `${axis} min`, distance_m: at - (min_m[index] ?? Number.NaN) },
      { name: `${axis} max`, distance_m: (max_m[index] ?? Number.NaN) - at },
    ];
  });
  return faces.reduce((nearest, face) => (face.distance_m < nearest.distance_m ? face : nearest));
}
