import { LocateFixed } from "lucide-react";
import type { JointRow } from "../../../generated/bindings/JointRow";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { exactText } from "../../../design/fields/decimal";
import { jointNow } from "../../../domain/robot/pose-now";
import { useStation } from "../../../domain/station/station-context";
import { useLive } from "../../../domain/station/useLive";
import { t } from "../../../locales/i18n";
import styles from "./JointFields.module.css";
import form from "./MissionForm.module.css";
import { type JointGoal, namesExactly, withJoints } from "./motion-input";
import { MotionNumber, MotionSpeed } from "./MotionNumber";

type JointFieldsProps = {
  robot: RobotRow | undefined;
  /** The joints of the part, as the robot's manifest has them. */
  joints: readonly JointRow[];
  goal: JointGoal;
  testId: string;
  disabled: boolean;
  onGoal: (goal: JointGoal) => void;
};

/** A position for each joint of the part, with its unit and its limits, and the speed of the fastest. */
export function JointFields(props: JointFieldsProps) {
  const { joints, goal, testId, disabled, onGoal } = props;
  const isKnown = joints.length > 0 && namesExactly(goal, joints);
  const put = (at: number, value: number) =>
    onGoal({ ...goal, positions_rad: goal.positions_rad.map((old, index) => (index === at ? value : old)) });
  return (
    <>
      {!isKnown && <OtherJoints {...props} />}
      <ul className={styles.list} data-testid={`${testId}-joints`}>
        {goal.names.map((name, at) => {
          const joint = isKnown ? joints[at] : undefined;
          const position = goal.positions_rad[at] ?? 0;
          return (
            <li key={name} className={styles.row}>
              <MotionNumber
                label={joint ? t("joint_fields.joint", { joint: name, unit: joint.unit }) : name}
                value={position}
                problem={joint ? outside(joint, position) : null}
                testId={`${testId}-joint-${name}`}
                disabled={disabled}
                onNumber={(value) => put(at, value)}
              />
              {joint && <span className={styles.range}>{rangeText(joint)}</span>}
            </li>
          );
        })}
      </ul>
      <MeasuredPositions {...props} isKnown={isKnown} />
      <MotionSpeed
        label={t("joint_fields.speed")}
        value={goal.speed_radps}
        testId={`${testId}-speed`}
        disabled={disabled}
        onSpeed={(speed_radps) => onGoal({ ...goal, speed_radps })}
      />
    </>
  );
}

/** The sentence about names that are not those of the part, and the way to these. */
function OtherJoints({ robot, joints, goal, testId, disabled, onGoal }: JointFieldsProps) {
  const { store } = useStation();
  if (joints.length === 0) return <p className={form.hint}>{t("joint_fields.unknown")}</p>;
  const positionOf = (joint: string) => jointNow(store, robot, joint);
  return (
    <div className={styles.other}>
      <p className={form.problem} data-testid={`${testId}-names-problem`}>
        {t("joint_fields.other_names", { names: joints.map(({ name }) => name).join(", ") })}
      </p>
      <Button
        size="row"
        data-testid={`${testId}-names`}
        disabled={disabled}
        onClick={() => onGoal(withJoints(goal, joints, positionOf))}
      >
        {t("joint_fields.take_names")}
      </Button>
    </div>
  );
}

/** The button that takes every position as it is measured, while all of them are. */
function MeasuredPositions(props: JointFieldsProps & { isKnown: boolean }) {
  const { robot, joints, goal, testId, disabled, isKnown, onGoal } = props;
  const { store } = useStation();
  const isMeasured = useLive((live) => joints.every(({ name }) => jointNow(live, robot, name) !== null));
  const take = () => {
    const positions_rad = joints.flatMap(({ name }) => jointNow(store, robot, name) ?? []);
    // With a joint missing, the goal would mix measured and old positions.
    if (positions_rad.length === joints.length) onGoal({ ...goal, positions_rad });
  };
  return (
    <div className={form.places}>
      <Button
        size="row"
        look="quiet"
        data-testid={`${testId}-here`}
        disabled={disabled || !isKnown || !isMeasured}
        onClick={take}
      >
        <LocateFixed aria-hidden="true" /> {t("joint_fields.here")}
      </Button>
    </div>
  );
}

function rangeText({ position: [low, high], unit }: JointRow): string {
  return t("joint_fields.range", { low: exactText(low), high: exactText(high), unit });
}

/** The reason for which the robot would refuse a position; null if it is within the joint's limits. */
function outside({ position: [low, high], unit }: JointRow, position: number): string | null {
  if (low <= position && position <= high) return null;
  return t("joint_fields.outside", { low: exactText(low), high: exactText(high), unit });
}
