import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { RobotStateName } from "../../generated/bindings/RobotStateName";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useTurned } from "../../design/shortcuts/useTurned";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./ArmButton.module.css";

type ArmButtonProps = { robot: RobotRow; state: RobotStateName; refusal: string | null };

/** Arm or Disarm. `refusal` is why the station would refuse; it stands beside the button's robot. */
export function ArmButton(props: ArmButtonProps) {
  // The answer about one robot must not stay beside the button of another that takes its place.
  return <OwnArmButton key={props.robot.id} {...props} />;
}

function OwnArmButton({ robot, state, refusal }: ArmButtonProps) {
  const arm = useOperation("arm_robot");
  const disarm = useOperation("disarm_robot");
  const enabled = isEnabled(state);
  const call = enabled ? disarm : arm;
  // Somebody who presses Disarm twice must not arm the robot with the second press. Disarming waits for nothing.
  const turned = useTurned(enabled ? "disarm" : "arm") && !enabled;
  return (
    <div className={styles.arm}>
      <Refusal error={call.error} />
      <Button
        data-testid={`arm-${robot.id}`}
        aria-label={t(enabled ? "robot.disarm_name" : "robot.arm_name", { robot: robot.id })}
        disabled={refusal !== null || call.pending || turned}
        title={refusal ?? undefined}
        onClick={() => call.run({ robot: robot.id })}
      >
        {call.pending ? t("hold.sending") : enabled ? t("robot.disarm") : t("robot.arm")}
      </Button>
    </div>
  );
}

/** True if the robot has a permission to move that could be taken back. */
function isEnabled(state: RobotStateName): boolean {
  switch (state) {
    case "arming":
    case "armed":
    case "hold":
      return true;
    case "disarmed":
    case "safe_stop":
    case "lockout":
      return false;
  }
}
