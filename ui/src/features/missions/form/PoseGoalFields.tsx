import { Crosshair, LocateFixed } from "lucide-react";
import { useState } from "react";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { poseNow, useHasPose } from "../../../domain/robot/pose-now";
import type { Vec3 } from "../../../domain/scene/flat/transform";
import { useStation } from "../../../domain/station/station-context";
import { t } from "../../../locales/i18n";
import type { PoseGoal } from "./motion-input";
import { MotionNumber, MotionSpeed } from "./MotionNumber";
import styles from "./MissionForm.module.css";
import { PickPlaces } from "./PickPlaces";
import { withAxis } from "./waypoints";

type PoseGoalFieldsProps = {
  robot: RobotRow | undefined;
  frame: string | null;
  goal: PoseGoal;
  testId: string;
  disabled: boolean;
  onGoal: (goal: PoseGoal) => void;
};

/** The place that a motion leads to, and its speed. */
export function PoseGoalFields({ robot, frame, goal, testId, disabled, onGoal }: PoseGoalFieldsProps) {
  const toPlace = (position_m: Vec3) => onGoal({ ...goal, position_m });
  return (
    <>
      <div className={styles.axes}>
        {(["x", "y", "z"] as const).map((axis, at) => (
          <MotionNumber
            key={axis}
            label={t("motion_fields.axis", { axis })}
            value={goal.position_m[at] ?? 0}
            testId={`${testId}-${axis}`}
            disabled={disabled}
            onNumber={(value) => toPlace(withAxis(goal.position_m, at, value))}
          />
        ))}
      </div>
      <Places {...{ robot, frame, testId, disabled }} at_m={goal.position_m} onPlace={toPlace} />
      <MotionSpeed
        label={t("motion_fields.speed")}
        value={goal.speed_mps}
        testId={`${testId}-speed`}
        disabled={disabled}
        onSpeed={(speed_mps) => onGoal({ ...goal, speed_mps })}
      />
    </>
  );
}

type PlacesProps = {
  robot: RobotRow | undefined;
  frame: string | null;
  at_m: Vec3;
  testId: string;
  disabled: boolean;
  onPlace: (position_m: Vec3) => void;
};

/** Ways to a place that need no numbers: where the robot is, and the scene. */
function Places({ robot, frame, at_m, testId, disabled, onPlace }: PlacesProps) {
  const { store } = useStation();
  const [isOpen, setOpen] = useState(false);
  const hasPose = useHasPose(robot, frame);
  const fromHere = () => {
    const here = poseNow(store, robot, frame);
    if (here) onPlace(here);
  };
  return (
    <div className={styles.places}>
      <Button size="row" look="quiet" data-testid={`${testId}-here`} disabled={disabled || !hasPose} onClick={fromHere}>
        <LocateFixed aria-hidden="true" /> {t("motion_fields.here")}
      </Button>
      <Button
        size="row"
        look="quiet"
        data-testid={`${testId}-pick`}
        disabled={disabled || robot === undefined}
        onClick={() => setOpen(true)}
      >
        <Crosshair aria-hidden="true" /> {t("motion_fields.pick")}
      </Button>
      {isOpen && robot && (
        <PickPlaces
          robot={robot}
          frame={frame}
          points_m={[at_m]}
          isPath={false}
          onClose={() => setOpen(false)}
          onTake={([position_m]) => {
            setOpen(false);
            if (position_m) onPlace(position_m);
          }}
        />
      )}
    </div>
  );
}
