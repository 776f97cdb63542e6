import { useState } from "react";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { Dialog } from "../../../design/components/Dialog";
import { formatNumbers } from "../../../design/format/numbers";
import { inFrame } from "../../../domain/robot/place";
import { poseNow } from "../../../domain/robot/pose-now";
import { Scene } from "../../../domain/scene/flat/Scene";
import { goalEdit } from "../../../domain/scene/flat/goal-edit";
import { rootFrame, toFrame, type Vec3 } from "../../../domain/scene/flat/transform";
import { useSceneModel } from "../../../domain/scene/flat/useSceneModel";
import type { ViewSide } from "../../../domain/scene/flat/view";
import { useStation } from "../../../domain/station/station-context";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import type { MotionInput } from "./motion-input";
import styles from "./MissionForm.module.css";

type PickPlaceProps = {
  robot: RobotRow;
  input: MotionInput;
  onClose: () => void;
  onPlace: (position_m: Vec3) => void;
};

/** The scene with the goal as a handle: dragged, or moved by the arrow keys, and taken as it stands then. */
export function PickPlace(props: PickPlaceProps) {
  const robots = useRows("robots", "list_robots", {}).data?.rows;
  return robots ? <Picker {...props} robots={robots} /> : null;
}

function Picker({ robot, input, robots, onClose, onPlace }: PickPlaceProps & { robots: readonly RobotRow[] }) {
  const [side, setSide] = useState<ViewSide>("top");
  const { store } = useStation();
  const [place, setPlace] = useState<Vec3>(() =>
    input.motion.kind === "pose_goal" ? input.motion.position_m : (poseNow(store, robot, input.frame) ?? [0, 0, 0]),
  );
  const site = useSceneModel(robots);
  const root = rootFrame(robot);
  const at_m = toFrame(robot.transforms, input.frame ?? robot.default_frame, root, place);
  const move = (to_m: Vec3) => {
    const point = inFrame(robot, input.frame, to_m);
    if (point) setPlace(point);
  };
  const edit = at_m && goalEdit({ at_m, side, onMove: move });
  return (
    <Dialog
      title={t("motion_fields.pick_title", { robot: robot.id })}
      testId="pick-place"
      onClose={onClose}
      acts={
        <>
          <Button onClick={onClose}>{t("motion_fields.not_picked")}</Button>
          <Button look="primary" data-testid="pick-place-take" onClick={() => onPlace(place)}>
            {t("motion_fields.take")}
          </Button>
        </>
      }
    >
      <p className={styles.hint} data-testid="pick-place-at">
        {t("motion_fields.at", {
          place: formatNumbers(place, 3),
          frame: input.frame ?? robot.default_frame,
        })}
      </p>
      <div className={styles.picker}>
        <Scene model={site} side={side} focus={robot.id} onSide={setSide} edit={edit} embedded />
      </div>
    </Dialog>
  );
}
