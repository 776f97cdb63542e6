import type { RobotRow } from "../../bindings/RobotRow";
import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import styles from "./ArmButton.module.css";

/** Arm or Disarm. `refusal` is why the station would refuse; it stands beside the button's robot. */
export function ArmButton({ robot, armed, refusal }: { robot: RobotRow; armed: boolean; refusal: string | null }) {
  const arm = useOperation("arm_robot");
  const disarm = useOperation("disarm_robot");
  const call = armed ? disarm : arm;
  return (
    <div className={styles.arm}>
      <Refusal error={call.error} />
      <Button
        data-testid={`arm-${robot.id}`}
        aria-label={t(armed ? "robot.disarm_name" : "robot.arm_name", { robot: robot.id })}
        disabled={refusal !== null || call.pending}
        title={refusal ?? undefined}
        onClick={() => call.run({ robot: robot.id })}
      >
        {call.pending ? t("hold.sending") : armed ? t("robot.disarm") : t("robot.arm")}
      </Button>
    </div>
  );
}
