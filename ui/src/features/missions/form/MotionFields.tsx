import { fieldText, parseDecimal } from "../../../design/fields/decimal";
import { Crosshair, LocateFixed } from "lucide-react";
import { useState } from "react";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { useRows } from "../../../domain/station/useRows";
import { poseNow, useHasPose } from "../../../domain/robot/pose-now";
import { useStation } from "../../../domain/station/station-context";
import type { Vec3 } from "../../../domain/scene/flat/transform";
import { t } from "../../../locales/i18n";
import { CommitField } from "./CommitField";
import { type FieldMotion, kindsOf, type MotionInput, newMotion } from "./motion-input";
import styles from "./MissionForm.module.css";
import { PickPlace } from "./PickPlace";

type MotionFieldsProps = {
  motion: MotionInput;
  /** Beginning of the names of the fields for tests. */
  testId: string;
  disabled: boolean;
  onChange: (motion: MotionInput) => void;
};

/** A step that moves a robot: which one, its part, where to, and how fast. */
export function MotionFields(props: MotionFieldsProps) {
  const { motion, testId, disabled, onChange } = props;
  const { store } = useStation();
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const robot = robots.find(({ id }) => id === motion.robot);
  const moveBy = (next: RobotRow | undefined, id: string, actuator: string) => {
    const frame = id === motion.robot ? motion.frame : null;
    onChange(movedBy({ ...motion, frame }, next, { robot: id, actuator, here: poseNow(store, next, frame) }));
  };
  const chooseRobot = (id: string) => {
    const next = robots.find((row) => row.id === id);
    moveBy(next, id, firstActuator(next));
  };
  return (
    <div className={styles.motion} data-testid={testId}>
      <Choice
        label={t("motion_fields.robot")}
        value={motion.robot}
        options={robots.map(({ id }) => id)}
        testId={`${testId}-robot`}
        disabled={disabled}
        onChange={chooseRobot}
      />
      <Choice
        label={t("motion_fields.actuator")}
        value={motion.actuator}
        options={robot?.actuators.map(({ id }) => id) ?? []}
        testId={`${testId}-actuator`}
        disabled={disabled}
        onChange={(actuator) => moveBy(robot, motion.robot, actuator)}
      />
      <Choice
        label={t("motion_fields.kind")}
        value={motion.motion.kind}
        options={kindsOf(robot, motion.actuator)}
        wordOf={(kind) => t(`motion_fields.kinds.${kind as FieldMotion}`)}
        testId={`${testId}-motion`}
        disabled={disabled}
        onChange={(kind) =>
          onChange({ ...motion, motion: newMotion(kind as FieldMotion, poseNow(store, robot, motion.frame)) })
        }
      />
      <Values {...props} robot={robot} />
    </div>
  );
}

/** The first part of a robot that has a motion with fields. */
function firstActuator(robot: RobotRow | undefined): string {
  return robot?.actuators.find(({ id }) => kindsOf(robot, id).length > 0)?.id ?? "";
}

type Mover = { robot: string; actuator: string; here: Vec3 | null };

/** The motion of another robot or part: of the same kind if it has that, from where the robot is. */
function movedBy(
  { robot: before, frame, motion }: MotionInput,
  row: RobotRow | undefined,
  { robot, actuator, here }: Mover,
): MotionInput {
  const kinds = kindsOf(row, actuator);
  const kind = kinds.includes(motion.kind) ? motion.kind : (kinds[0] ?? "pose_goal");
  const isSame = robot === before && kind === motion.kind;
  return { robot, actuator, frame, motion: isSame ? motion : newMotion(kind, here) };
}

type ValuesProps = MotionFieldsProps & { robot: RobotRow | undefined };

function Values(props: ValuesProps) {
  const { motion: input, testId, disabled, onChange } = props;
  const { motion } = input;
  switch (motion.kind) {
    case "gripper":
      return (
        <NumberField
          label={t("motion_fields.opening")}
          value={motion.opening_m}
          testId={`${testId}-opening`}
          disabled={disabled}
          onNumber={(opening_m) => opening_m !== null && onChange({ ...input, motion: { ...motion, opening_m } })}
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
          onChange={(word) => onChange({ ...input, motion: { ...motion, on: word === "on" } })}
        />
      );
    case "pose_goal":
      return <Goal {...props} goal={motion} />;
  }
}

type GoalProps = ValuesProps & { goal: Extract<MotionInput["motion"], { kind: "pose_goal" }> };

/** The place that a motion leads to, and its speed. */
function Goal({ motion: input, goal, robot, testId, disabled, onChange }: GoalProps) {
  const put = (change: Partial<typeof goal>) => onChange({ ...input, motion: { ...goal, ...change } });
  const moved = (axis: number, value: number) =>
    put({ position_m: goal.position_m.map((old, at) => (at === axis ? value : old)) as [number, number, number] });
  return (
    <>
      <div className={styles.axes}>
        {(["x", "y", "z"] as const).map((axis, at) => (
          <NumberField
            key={axis}
            label={t("motion_fields.axis", { axis })}
            value={goal.position_m[at] ?? 0}
            testId={`${testId}-${axis}`}
            disabled={disabled}
            onNumber={(value) => value !== null && moved(at, value)}
          />
        ))}
      </div>
      <Places
        input={input}
        robot={robot}
        testId={testId}
        disabled={disabled}
        onPlace={(position_m) => put({ position_m })}
      />
      <NumberField
        label={t("motion_fields.speed")}
        value={goal.speed_mps}
        testId={`${testId}-speed`}
        disabled={disabled}
        onNumber={(speed_mps) => put({ speed_mps })}
      />
    </>
  );
}

type NumberFieldProps = {
  label: string;
  value: number | null;
  testId: string;
  disabled: boolean;
  onNumber: (value: number | null) => void;
};

/** A number that is saved by Enter or by leaving it; what is no clear number is put back, and an empty field is null. */
function NumberField({ label, value, testId, disabled, onNumber }: NumberFieldProps) {
  return (
    <CommitField
      label={label}
      value={value === null ? "" : fieldText(value)}
      problem={null}
      disabled={disabled}
      isCode
      testId={testId}
      onCommit={(typed) => {
        const decimal = parseDecimal(typed);
        if ("value" in decimal) onNumber(decimal.value);
        else if (decimal.problem === "empty") onNumber(null);
      }}
    />
  );
}

type PlacesProps = {
  input: MotionInput;
  robot: RobotRow | undefined;
  testId: string;
  disabled: boolean;
  onPlace: (position_m: Vec3) => void;
};

/** Ways to a place that need no numbers: where the robot is, and the scene. */
function Places({ input, robot, testId, disabled, onPlace }: PlacesProps) {
  const [isOpen, setOpen] = useState(false);
  const { store } = useStation();
  const hasPose = useHasPose(robot, input.frame);
  const fromHere = () => {
    const here = poseNow(store, robot, input.frame);
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
        <PickPlace
          robot={robot}
          input={input}
          onClose={() => setOpen(false)}
          onPlace={(position_m) => {
            setOpen(false);
            onPlace(position_m);
          }}
        />
      )}
    </div>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly string[];
  wordOf?: (value: string) => string;
  testId: string;
  disabled: boolean;
  onChange: (value: string) => void;
};

function asItIs(word: string): string {
  return word;
}

/** A choice beside its label; what the file has is shown even where the station does not know it. */
function Choice({ label, value, options, wordOf = asItIs, testId, disabled, onChange }: ChoiceProps) {
  const all = value === "" || options.includes(value) ? options : [value, ...options];
  return (
    <label className={styles.choice}>
      <span>{label}</span>
      <select
        className={styles.kind}
        data-testid={testId}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      >
        {value === "" && <option value="">{t("motion_fields.choose")}</option>}
        {all.map((one) => (
          <option key={one} value={one}>
            {wordOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
