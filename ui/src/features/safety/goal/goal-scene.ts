// The scene of a goal that somebody places: the way from where the robot is now, and what the last judgement of it says.

import type { CommandChecked } from "../../../generated/bindings/CommandChecked";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { tightest } from "../../../domain/proposal/decision-scene";
import type { SceneModel } from "../../../domain/scene/flat/scene-model";
import { distance, toFrame, type Vec3 } from "../../../domain/scene/flat/transform";
import { depthText, violatedBy, worstOf } from "../../../domain/verdict/denial-facts";
import { t } from "../../../locales/i18n";

/** A goal in the frame of the scene, and its speed. */
export type PlacedGoal = { to_m: Vec3; speed_mps: number | null };

/** The site with this motion alone. Without a place of the robot there is no way to draw. */
export function goalScene(
  site: SceneModel,
  robot: RobotRow,
  { to_m, speed_mps }: PlacedGoal,
  checked: CommandChecked | null,
): SceneModel {
  const from_m = site.robots.find(({ id }) => id === robot.id)?.position_m;
  if (!from_m) return { ...site, goals: [] };
  const path_m = [from_m, to_m];
  const worst = checked && worstOf(checked.verdict, checked.explanation);
  const place = (point_m: Vec3 | null) =>
    checked && point_m && toFrame(robot.transforms, checked.verdict.frame, site.frame, point_m);
  const point_m = worst && place(worst.point_m);
  // What has no place, as who has control, is said beside the scene.
  if (checked && worst && point_m) {
    const depth = depthText(worst);
    const beyond = depth === null ? t("verdict.deny") : t("scene.beyond", { depth });
    const shown = { point_m, nearest_m: place(worst.nearest_allowed_m), depth: beyond };
    return { ...site, goals: [], denial: { path_m, worst: shown, constraints: violatedBy(checked.explanation) } };
  }
  const { body_radius_m } = robot;
  const duration_s = speed_mps === null || speed_mps === 0 ? null : distance(from_m, to_m) / speed_mps;
  const goal = { robot: robot.id, from_m, to_m, path_m, body_radius_m, duration_s };
  const judged = checked && { robot: robot.id, preview: null, ...checked };
  return { ...site, goals: [goal], decision: { margin: judged && tightest(site, robot, judged) } };
}
