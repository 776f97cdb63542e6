import { useState } from "react";
import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import type { CommissioningState } from "../../../generated/bindings/CommissioningState";
import { Button } from "../../../design/components/Button";
import { Refusal } from "../../../design/components/Refusal";
import { TextField } from "../../../design/fields/TextField";
import { useAdminRefusal } from "../../../domain/station/useAdminRefusal";
import { useOperation } from "../../../domain/station/useOperation";
import { t } from "../../../locales/i18n";
import { acceptanceWords } from "./acceptance";
import styles from "./CommissioningPage.module.css";

type KeepsMovingProps = {
  robot: string;
  state: CommissioningState;
  underWay: boolean;
  onRow: (row: CommissioningRow) => void;
};

/** The motion that a robot is denied which keeps moving when its gate dies, and an Admin's acceptance of it (RG-32). */
export function KeepsMoving({ robot, state: { keeps_moving, accepted, running }, underWay, onRow }: KeepsMovingProps) {
  const [reason, setReason] = useState("");
  const accept = useOperation("accept_keeps_moving");
  const admin = useAdminRefusal();
  if (!keeps_moving) return null;
  if (accepted !== null) return <p data-testid="keeps-moving-accepted">{acceptanceWords(accepted)}</p>;
  const closed = admin ?? (underWay ? null : t("commissioning.begin_first"));
  return (
    <div className={styles.accept} data-testid="keeps-moving">
      <p>{t("commissioning.keeps_moving")}</p>
      <TextField
        label={t("commissioning.accept_reason")}
        value={reason}
        problem={null}
        testId="accept-keeps-moving-reason"
        onChange={setReason}
      />
      <Button
        data-testid="accept-keeps-moving"
        // During a step it is not known yet what there is to accept; the gate would refuse it.
        disabled={closed !== null || reason.trim() === "" || running !== null || accept.pending}
        onClick={() => accept.run({ robot, reason: reason.trim() }, onRow)}
      >
        {accept.pending ? t("hold.sending") : t("commissioning.accept")}
      </Button>
      {closed !== null && <p className={styles.hint}>{closed}</p>}
      <Refusal error={accept.error} />
    </div>
  );
}
