import { useState } from "react";
import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { Refusal } from "../../../design/components/Refusal";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { useOperation } from "../../../domain/station/useOperation";
import { t } from "../../../locales/i18n";
import styles from "./CommissioningPage.module.css";

/** Arms the robot for the steps alone, once a person has said that somebody stands at the hardware stop; and disarms it. */
export function Begin({ robot, row }: { robot: RobotRow; row: CommissioningRow }) {
  const [confirmed, setConfirmed] = useState(false);
  const begin = useOperation("begin_commissioning");
  const disarm = useOperation("disarm_robot");
  const refusal = useCommandRefusal();
  if (row.under_way) {
    return (
      <div className={styles.begin}>
        <p>{t("commissioning.under_way")}</p>
        <Button
          data-testid="end-commissioning"
          disabled={disarm.pending}
          onClick={() => disarm.run({ robot: robot.id })}
        >
          {t("commissioning.end")}
        </Button>
        <Refusal error={disarm.error} />
      </div>
    );
  }
  return (
    <div className={styles.begin}>
      <label className={styles.confirm}>
        <input
          type="checkbox"
          data-testid="at-hardware-stop"
          checked={confirmed}
          onChange={(event) => setConfirmed(event.currentTarget.checked)}
        />
        {t("commissioning.at_stop")}
      </label>
      <Button
        look="primary"
        data-testid="begin-commissioning"
        disabled={!confirmed || refusal !== null || begin.pending}
        title={refusal ?? undefined}
        // Said for this begin alone: a stop may end it, and somebody has to be at the hardware stop again.
        onClick={() => begin.run({ robot: robot.id, at_hardware_stop: confirmed }, () => setConfirmed(false))}
      >
        {begin.pending ? t("hold.sending") : t("commissioning.begin")}
      </Button>
      <Refusal error={begin.error} />
    </div>
  );
}
