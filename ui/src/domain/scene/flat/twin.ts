// The scene in words (U-1107): the same model, for those who cannot see or trust a drawing.

import { formatNumber, formatPosition } from "../../../design/format/numbers";
import { isCurrent } from "../../../design/format/freshness";
import { t } from "../../../locales/i18n";
import { fromOwn, ownEnds, type SceneBox, toOwn, type Turned } from "./box";
import type { SceneMap } from "./scene-map";
import type { SceneModel, SceneRobot, SceneVolume } from "./scene-model";
import { areasAt } from "./scene-plan";
import { boxDistance, distance, nearestFace } from "./transform";

const AXES = ["x", "y", "z"] as const;

/** One sentence per robot, goal and draft. */
export function sceneSentences(model: SceneModel): string[] {
  return [
    ...model.robots.map((robot) => robotSentence(model, robot)),
    ...model.goals.map((goal) =>
      t("twin.goal", { robot: goal.robot, position: formatPosition(goal.to_m), frame: model.frame }),
    ),
    ...model.drafts.map((draft) => draftSentence(model, draft)),
    ...model.unplaced.map((robot) => t("twin.unplaced", { robot, frame: model.frame })),
    ...undrawnSentences(model),
    ...planSentences(model),
    ...model.maps.map((map) => mapSentence(model, map)),
  ];
}

/** A sentence for each robot of which the scene does not show every limit. */
export function undrawnSentences({ undrawn_limits = [] }: SceneModel): string[] {
  return undrawn_limits.map((robot) => t("twin.undrawn_limits", { robot }));
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

function mapSentence({ frame }: SceneModel, { robot, map: { grid } }: SceneMap): string {
  const [width, height] = [grid.width_cells, grid.height_cells].map((cells) =>
    formatNumber(cells * grid.resolution_m, 1),
  );
  return t("twin.map", { robot, width, height, frame });
}

function robotSentence(model: SceneModel, robot: SceneRobot): string {
  const place = { robot: robot.id, position: formatPosition(robot.position_m), frame: model.frame };
  if (!isCurrent(robot.freshness)) return t("twin.last_seen", { ...place, age: robot.age });
  const own = model.volumes.filter((volume) => volume.robot === null || volume.robot === robot.id);
  const limits = nearestWorkspace(own, robot).map((volume) => distanceSentence(volume, robot));
  const areas = areasAt(model.plan, robot.position_m).map((area) => t("twin.in_area", { area }));
  return [t("twin.robot", place), ...areas, ...limits].join("; ");
}

function draftSentence({ frame }: SceneModel, draft: SceneVolume): string {
  switch (draft.kind) {
    case "workspace":
      return draft.turned
        ? t("twin.draft_workspace_turned", { ...lieOf(draft, draft.turned), frame })
        : t("twin.draft_workspace", { ...endsOf(draft), frame });
    case "keep_out_box":
      return draft.turned
        ? t("twin.draft_box_turned", { ...lieOf(draft, draft.turned), frame })
        : t("twin.draft_box", { ...endsOf(draft), frame });
    case "forbidden_zone":
      return t("twin.draft_zone", {
        center: formatPosition(draft.center_m),
        radius: formatNumber(draft.radius_m, 2),
        frame,
      });
  }
}

function endsOf({ min_m, max_m }: SceneBox): { min: string; max: string } {
  return { min: formatPosition(min_m), max: formatPosition(max_m) };
}

/** Centre, size and turn of a box that does not lie along the axes of the scene. */
function lieOf(box: SceneBox, { min_m, max_m, axes }: Turned): { center: string; size: string; turn: string } {
  const middle = (axis: 0 | 1 | 2) => (min_m[axis] + max_m[axis]) / 2;
  const [x, , z] = axes;
  const turn = degrees(Math.atan2(x[1], x[0]));
  const tilt = degrees(Math.acos(Math.min(1, Math.max(-1, z[2]))));
  return {
    center: formatPosition(fromOwn(box, [middle(0), middle(1), middle(2)])),
    size: max_m.map((end, axis) => formatNumber(end - (min_m[axis] ?? Number.NaN), 2)).join(" × "),
    turn: tilt === degrees(0) ? t("twin.turned", { turn }) : t("twin.tilted", { turn, tilt }),
  };
}

function degrees(angle_rad: number): string {
  return formatNumber((angle_rad * 180) / Math.PI, 1);
}

/** The limits without the workspaces that leave more room than another: only the tightest one binds. */
function nearestWorkspace(volumes: readonly SceneVolume[], robot: SceneRobot): readonly SceneVolume[] {
  const rooms = volumes.flatMap((volume) => (volume.kind === "workspace" ? [roomIn(volume, robot).distance_m] : []));
  const least_m = Math.min(...rooms);
  return volumes.filter((volume) => volume.kind !== "workspace" || roomIn(volume, robot).distance_m <= least_m);
}

type Workspace = Extract<SceneVolume, { kind: "workspace" }>;

/** The nearest face. A robot that drives on the floor cannot get nearer to a floor or a ceiling. */
function roomIn(workspace: Workspace, { position_m, base_m }: SceneRobot) {
  const { min_m, max_m } = ownEnds(workspace);
  return nearestFace(min_m, max_m, toOwn(workspace, position_m), base_m ? [0, 1, 2] : [0, 1]);
}

function distanceSentence(volume: SceneVolume, robot: SceneRobot): string {
  const { position_m: point_m } = robot;
  switch (volume.kind) {
    case "workspace": {
      const { axis, side, distance_m } = roomIn(volume, robot);
      const told = { distance: formatNumber(Math.abs(distance_m), 2), face: `${AXES[axis]} ${side}` };
      return distance_m >= 0 ? t("twin.inside", told) : t("twin.outside", told);
    }
    case "keep_out_box": {
      const { min_m, max_m } = ownEnds(volume);
      const away_m = boxDistance(min_m, max_m, toOwn(volume, point_m));
      const told = { distance: formatNumber(Math.abs(away_m), 2) };
      return away_m >= 0 ? t("twin.keep_out", told) : t("twin.in_keep_out", told);
    }
    case "forbidden_zone": {
      const away_m = distance(point_m, volume.center_m) - volume.radius_m;
      const told = { distance: formatNumber(Math.abs(away_m), 2) };
      return away_m >= 0 ? t("twin.zone", told) : t("twin.in_zone", told);
    }
  }
}
