import { Crosshair, LocateFixed, Plus, X } from "lucide-react";
import { useState } from "react";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { IconButton } from "../../../design/components/IconButton";
import { poseNow, useHasPose } from "../../../domain/robot/pose-now";
import type { Vec3 } from "../../../domain/scene/flat/transform";
import { useStation } from "../../../domain/station/station-context";
import { t } from "../../../locales/i18n";
import { type Path, WAYPOINTS_MAX } from "./motion-input";
import { MotionNumber, MotionSpeed } from "./MotionNumber";
import styles from "./MissionForm.module.css";
import { MoveHandle } from "./MoveHandle";
import path from "./PathFields.module.css";
import { PickPlaces } from "./PickPlaces";
import { useReorder } from "./useReorder";
import { reordered, withAxis, withoutPoint, withPoint } from "./waypoints";

const AXES = ["x", "y", "z"] as const;

type PathFieldsProps = {
  robot: RobotRow | undefined;
  frame: string | null;
  path: Path;
  testId: string;
  disabled: boolean;
  onPath: (path: Path) => void;
};

/** The waypoints of a path in their order, ways to more of them, and the speed along it. */
export function PathFields(props: PathFieldsProps) {
  const { path: motion, testId, disabled, onPath } = props;
  const { points_m } = motion;
  const toPoints = (changed: readonly Vec3[]) => onPath({ ...motion, points_m: changed });
  const onMove = (from: number, to: number) => toPoints(reordered(points_m, from, to));
  const order = useReorder({ count: points_m.length, disabled, onMove });
  return (
    <>
      <div className={path.heads} aria-hidden="true">
        {AXES.map((axis) => (
          <span key={axis}>{t("motion_fields.axis", { axis })}</span>
        ))}
      </div>
      <ol className={path.list} aria-label={t("path_fields.waypoints")} data-testid={`${testId}-path`}>
        {points_m.map((point_m, at) => (
          <li key={at} className={path.row} {...order.entry(at)}>
            <MoveHandle
              entry={t("path_fields.waypoint", { number: at + 1 })}
              testId={`${testId}-${at + 1}-move`}
              acts={order.handle(at)}
            />
            <span className={path.number}>{at + 1}</span>
            {AXES.map((axis, index) => (
              <MotionNumber
                key={axis}
                label={t("path_fields.axis", { axis, number: at + 1 })}
                isLabelHidden
                value={point_m[index] ?? 0}
                testId={`${testId}-${at + 1}-${axis}`}
                disabled={disabled}
                onNumber={(value) => toPoints(withPoint(points_m, at, withAxis(point_m, index, value)))}
              />
            ))}
            <IconButton
              label={t("path_fields.remove", { number: at + 1 })}
              Icon={X}
              disabled={disabled || points_m.length === 1}
              testId={`${testId}-${at + 1}-remove`}
              onClick={() => toPoints(withoutPoint(points_m, at))}
            />
          </li>
        ))}
      </ol>
      <MorePoints {...props} onPoints={toPoints} />
      <MotionSpeed
        label={t("motion_fields.speed")}
        value={motion.speed_mps}
        testId={`${testId}-speed`}
        disabled={disabled}
        onSpeed={(speed_mps) => onPath({ ...motion, speed_mps })}
      />
    </>
  );
}

type MorePointsProps = PathFieldsProps & { onPoints: (points_m: readonly Vec3[]) => void };

/** Ways to waypoints: one more like the last, where the robot is, and the scene. */
function MorePoints({ robot, frame, path: { points_m }, testId, disabled, onPoints }: MorePointsProps) {
  const { store } = useStation();
  const [isOpen, setOpen] = useState(false);
  const hasPose = useHasPose(robot, frame);
  const isFull = points_m.length >= WAYPOINTS_MAX;
  const add = (point_m: Vec3 | null | undefined) => point_m && onPoints([...points_m, point_m]);
  return (
    <div className={styles.places}>
      <Button
        size="row"
        look="quiet"
        data-testid={`${testId}-add`}
        disabled={disabled || isFull}
        onClick={() => add(points_m.at(-1))}
      >
        <Plus aria-hidden="true" /> {t("path_fields.add")}
      </Button>
      <Button
        size="row"
        look="quiet"
        data-testid={`${testId}-here`}
        disabled={disabled || isFull || !hasPose}
        onClick={() => add(poseNow(store, robot, frame))}
      >
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
      {isFull && <p className={styles.hint}>{t("path_fields.full", { max: WAYPOINTS_MAX })}</p>}
      {isOpen && robot && (
        <PickPlaces
          robot={robot}
          frame={frame}
          points_m={points_m}
          isPath
          onClose={() => setOpen(false)}
          onTake={(taken_m) => {
            setOpen(false);
            onPoints(taken_m);
          }}
        />
      )}
    </div>
  );
}
