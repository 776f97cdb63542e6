import { useState } from "react";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { Dialog } from "../../../design/components/Dialog";
import { formatNumbers } from "../../../design/format/numbers";
import { inFrame } from "../../../domain/robot/place";
import { Scene } from "../../../domain/scene/flat/Scene";
import { goalEdit, wayEdit } from "../../../domain/scene/flat/goal-edit";
import type { SceneModel } from "../../../domain/scene/flat/scene-model";
import { rootFrame, toFrame, type Vec3 } from "../../../domain/scene/flat/transform";
import { useSceneModel } from "../../../domain/scene/flat/useSceneModel";
import type { ViewSide } from "../../../domain/scene/flat/view";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import { WAYPOINTS_MAX } from "./motion-input";
import styles from "./MissionForm.module.css";
import { withoutPoint, withPoint } from "./waypoints";

type PickPlacesProps = {
  robot: RobotRow;
  /** The frame of the command; null for the robot's own. */
  frame: string | null;
  points_m: readonly Vec3[];
  /** A path, to which a press on the scene adds waypoints; else one place. */
  isPath: boolean;
  onClose: () => void;
  onTake: (points_m: readonly Vec3[]) => void;
};

/** The scene with each place as a handle: dragged, or moved by the arrow keys, and taken as they stand then. */
export function PickPlaces(props: PickPlacesProps) {
  const robots = useRows("robots", "list_robots", {}).data?.rows;
  return robots ? <Picker {...props} robots={robots} /> : null;
}

function Picker(props: PickPlacesProps & { robots: readonly RobotRow[] }) {
  const { robot, robots, isPath, onClose, onTake } = props;
  const frame = props.frame ?? robot.default_frame;
  const [side, setSide] = useState<ViewSide>("top");
  const [points_m, setPoints] = useState(props.points_m);
  // A scene has the frame of most robots: among those of other frames this one would be drawn, and sent, elsewhere.
  const site = useSceneModel(robots.filter((row) => rootFrame(row) === rootFrame(robot)));
  const seen_m = points_m.flatMap((point_m) => {
    const at_m = toFrame(robot.transforms, frame, site.frame, point_m);
    return at_m ? [at_m] : [];
  });
  const put = (at: number, to_m: Vec3) => {
    const point = inFrame(robot, site.frame, frame, to_m);
    if (point) setPoints(at === points_m.length ? [...points_m, point] : withPoint(points_m, at, point));
  };
  // With one point missing, every later handle would move the wrong waypoint.
  const isWhole = seen_m.length === points_m.length;
  const edit = isWhole ? editOf({ seen_m, side, isPath, onPut: put }) : null;
  return (
    <Dialog
      title={t(isPath ? "path_fields.pick_title" : "motion_fields.pick_title", { robot: robot.id })}
      testId="pick-place"
      onClose={onClose}
      acts={
        <>
          <Button onClick={onClose}>{t("motion_fields.not_picked")}</Button>
          {isPath && (
            <Button
              data-testid="pick-place-drop-last"
              disabled={points_m.length === 1}
              onClick={() => setPoints(withoutPoint(points_m, points_m.length - 1))}
            >
              {t("path_fields.drop_last")}
            </Button>
          )}
          <Button look="primary" data-testid="pick-place-take" onClick={() => onTake(points_m)}>
            {t(isPath ? "path_fields.take" : "motion_fields.take")}
          </Button>
        </>
      }
    >
      <p className={styles.hint} data-testid="pick-place-at">
        {isPath
          ? t("path_fields.at", { count: points_m.length, frame })
          : t("motion_fields.at", { place: formatNumbers(points_m[0] ?? [], 3), frame })}
      </p>
      <div className={styles.picker}>
        <Scene
          model={isPath ? withWay(site, robot, seen_m) : site}
          side={side}
          focus={robot.id}
          onSide={setSide}
          edit={edit}
          embedded
        />
      </div>
    </Dialog>
  );
}

type EditProps = {
  seen_m: readonly Vec3[];
  side: ViewSide;
  isPath: boolean;
  onPut: (at: number, to_m: Vec3) => void;
};

function editOf({ seen_m, side, isPath, onPut }: EditProps) {
  if (isPath) return wayEdit({ points_m: seen_m, side, canAdd: seen_m.length < WAYPOINTS_MAX, onPut });
  const [at_m] = seen_m;
  return at_m ? goalEdit({ at_m, side, onMove: (to_m) => onPut(0, to_m) }) : null;
}

/** The site with this way alone, from where the robot is. */
function withWay(site: SceneModel, robot: RobotRow, seen_m: readonly Vec3[]): SceneModel {
  const here_m = site.robots.find(({ id }) => id === robot.id)?.position_m;
  const path_m = here_m ? [here_m, ...seen_m] : seen_m;
  const [from_m, to_m] = [path_m[0], path_m.at(-1)];
  if (!from_m || !to_m) return { ...site, goals: [] };
  const { id, body_radius_m } = robot;
  return { ...site, goals: [{ robot: id, from_m, to_m, path_m, body_radius_m, duration_s: null }] };
}
