import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { jointNow, poseNow } from "../../../domain/robot/pose-now";
import { useStation } from "../../../domain/station/station-context";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import { Choice } from "./Choice";
import { JointFields } from "./JointFields";
import {
  type FieldMotion,
  jointRowsOf,
  kindsOf,
  type Motion,
  type MotionInput,
  newMotion,
  type Now,
} from "./motion-input";
import { MotionNumber } from "./MotionNumber";
import styles from "./MissionForm.module.css";
import { PathFields } from "./PathFields";
import { PoseGoalFields } from "./PoseGoalFields";

type MotionFieldsProps = {
  motion: MotionInput;
  /** Beginning of the names of the fields for tests. */
  testId: string;
  disabled: boolean;
  onChange: (motion: MotionInput) => void;
};

/** A step that moves a robot: which one, its part, where to, and how fast. */
export function MotionFields({ motion: input, testId, disabled, onChange }: MotionFieldsProps) {
  const { store } = useStation();
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const robot = robots.find(({ id }) => id === input.robot);
  const nowOf = (row: RobotRow | undefined, actuator: string, frame: string | null): Now => ({
    at_m: poseNow(store, row, frame),
    joints: jointRowsOf(row, actuator),
    positionOf: (joint) => jointNow(store, row, joint),
  });
  const moveBy = (row: RobotRow | undefined, id: string, actuator: string) => {
    // A frame is one of its robot, and another may have none of this name.
    const frame = id === input.robot ? input.frame : null;
    const motion = movedBy(input, row, { robot: id, actuator }, nowOf(row, actuator, frame));
    onChange({ robot: id, actuator, frame, motion });
  };
  const chooseRobot = (id: string) => {
    const next = robots.find((row) => row.id === id);
    moveBy(next, id, firstActuator(next));
  };
  const chooseKind = (kind: string) =>
    onChange({ ...input, motion: newMotion(kind as FieldMotion, nowOf(robot, input.actuator, input.frame)) });
  return (
    <div className={styles.motion} data-testid={testId}>
      <Choice
        label={t("motion_fields.robot")}
        value={input.robot}
        options={robots.map(({ id }) => id)}
        testId={`${testId}-robot`}
        disabled={disabled}
        onChange={chooseRobot}
      />
      <Choice
        label={t("motion_fields.actuator")}
        value={input.actuator}
        options={robot?.actuators.map(({ id }) => id) ?? []}
        testId={`${testId}-actuator`}
        disabled={disabled}
        onChange={(actuator) => moveBy(robot, input.robot, actuator)}
      />
      <Choice
        label={t("motion_fields.kind")}
        value={input.motion.kind}
        options={kindsOf(robot, input.actuator)}
        wordOf={(kind) => t(`motion_fields.kinds.${kind as FieldMotion}`)}
        testId={`${testId}-motion`}
        disabled={disabled}
        onChange={chooseKind}
      />
      <Values
        input={input}
        robot={robot}
        testId={testId}
        disabled={disabled}
        onMotion={(motion) => onChange({ ...input, motion })}
      />
    </div>
  );
}

/** The first part of a robot that has a motion with fields. */
function firstActuator(robot: RobotRow | undefined): string {
  return robot?.actuators.find(({ id }) => kindsOf(robot, id).length > 0)?.id ?? "";
}

/** The motion of another robot or part: of the same kind if it has that, from where the robot is. */
function movedBy(
  { robot, actuator, motion }: MotionInput,
  row: RobotRow | undefined,
  to: { robot: string; actuator: string },
  now: Now,
): Motion {
  const kinds = kindsOf(row, to.actuator);
  const kind = kinds.includes(motion.kind) ? motion.kind : (kinds[0] ?? "pose_goal");
  // Joints are those of one part; a place is one for every part of the robot.
  const isSame = robot === to.robot && kind === motion.kind && (kind !== "joints" || actuator === to.actuator);
  return isSame ? motion : newMotion(kind, now);
}

type ValuesProps = {
  input: MotionInput;
  robot: RobotRow | undefined;
  testId: string;
  disabled: boolean;
  onMotion: (motion: Motion) => void;
};

function Values({ input, onMotion, ...common }: ValuesProps) {
  const { motion, frame, actuator } = input;
  const { robot, testId, disabled } = common;
  switch (motion.kind) {
    case "gripper":
      return (
        <MotionNumber
          label={t("motion_fields.opening")}
          value={motion.opening_m}
          testId={`${testId}-opening`}
          disabled={disabled}
          onNumber={(opening_m) => onMotion({ ...motion, opening_m })}
        />
      );
    case "switch":
      return (
        <Choice
          label={t("motion_fields.to")}
          value={motion.on ? "on" : "off"}
          options={["on", "off"]}
          wordOf={(word) => t(`motion_fields.${word as "on" | "off"}`)}
          testId={`${testId}-on`}
          disabled={disabled}
          onChange={(word) => onMotion({ ...motion, on: word === "on" })}
        />
      );
    case "pose_goal":
      return <PoseGoalFields {...common} frame={frame} goal={motion} onGoal={onMotion} />;
    case "path":
      return <PathFields {...common} frame={frame} path={motion} onPath={onMotion} />;
    case "joints":
      return <JointFields {...common} joints={jointRowsOf(robot, actuator)} goal={motion} onGoal={onMotion} />;
  }
}
