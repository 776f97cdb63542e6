import { useState } from "react";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { parseDecimal } from "../../design/fields/decimal";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { formatPosition } from "../../design/format/numbers";
import { between } from "../../domain/robot/place";
import { useReading } from "../../domain/robot/useReading";
import { t } from "../../locales/i18n";
import { aroundPose, type KindName } from "./limit-kinds";

/** A robot has this much room around it at first. */
const ROOM_M = "1";

type CurrentPoseProps = {
  robot: RobotRow;
  kind: KindName;
  frame: string;
  onLimit: (limit: ConstraintKind) => void;
};

/** Fills the form from the measured place of the robot, with room around it; only while that place is current. */
export function CurrentPose({ robot, kind, frame, onLimit }: CurrentPoseProps) {
  const [room, setRoom] = useState(ROOM_M);
  const { signal, state } = useReading(`robot/${robot.id}/pose`, robot.id);
  const pose = signal && typeof signal.value === "object" ? signal.value : null;
  const at_m = pose && between(robot, pose.frame, frame, pose.position_m);
  const decimal = parseDecimal(room);
  const limit = at_m && "value" in decimal && decimal.value > 0 ? aroundPose(kind, at_m, decimal.value) : null;
  if (aroundPose(kind, [0, 0, 0], 1) === null) return null;
  return (
    <div className={forms.row}>
      <NumberField
        field={{ label: t("limit_form.room"), unit: "m", step: 0.1 }}
        text={room}
        problem={"problem" in decimal || decimal.value > 0 ? null : t("field_problem.not_positive")}
        onText={setRoom}
      />
      <p className={forms.act}>
        <Button
          data-testid="use-pose"
          // A limit around a place where the robot was a while ago would look as if it fitted.
          disabled={limit === null || state !== "live"}
          onClick={() => limit && onLimit(limit)}
        >
          {t("limit_form.use_pose")}
        </Button>
        <span className={forms.hint}>{at_m && state === "live" ? formatPosition(at_m) : t("limit_form.no_pose")}</span>
      </p>
    </div>
  );
}
