import type { RobotRow } from "../../bindings/RobotRow";
import type { RobotStateName } from "../../bindings/RobotStateName";
import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { useCommandRefusal } from "../../shared/hooks/useCommandRefusal";
import { useLive } from "../../shared/hooks/useLive";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import styles from "./ArmButton.module.css";

/** Arm or Disarm, with the station's reason where it would refuse. */
export function ArmButton({ robot, state }: { robot: RobotRow; state: RobotStateName }) {
  const arm = useOperation("arm_robot");
  const disarm = useOperation("disarm_robot");
  const problem = useLive((store) => store.safety.get(robot.id)?.arming_problem ?? null);
  const commands = useCommandRefusal();
  const armed = state === "armed";
  const refusal = commands ?? (armed ? null : armingRefusal(robot, state, problem));
  const call = armed ? disarm : arm;
  return (
    <div className={styles.arm}>
      {refusal !== null && (
        <span className={styles.reason} title={refusal}>
          {refusal}
        </span>
      )}
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

function armingRefusal(robot: RobotRow, state: RobotStateName, problem: string | null): string | null {
  if (robot.errors.length > 0) return robot.errors[0] ?? t("robot.invalid");
  return state === "stopped" ? t("robot.release_first") : problem;
}
