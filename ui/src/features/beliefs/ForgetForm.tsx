import { useEffect, useRef, useState } from "react";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./BeliefDetail.module.css";
import { onEscape } from "./on-escape";

/** Erases a belief with its history: a reason, and a press of 1 s by an Admin. */
export function ForgetForm({
  belief,
  onDone,
  onClose,
}: {
  belief: BeliefRow;
  onDone: (message: string) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  const forget = useOperation("forget_belief");
  const form = useRef<HTMLDivElement>(null);
  const missing = reason.trim() === "";

  // Synchronises with the focus of the window: whoever opened the form wants to write.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  return (
    <div ref={form} role="group" aria-label={t("beliefs.forget")} className={styles.form} onKeyDown={onEscape(onClose)}>
      <div className={styles.grow}>
        <TextField
          label={t("forget.reason")}
          value={reason}
          problem={null}
          testId="forget-reason"
          onChange={(next) => {
            setReason(next);
            forget.forget();
          }}
        />
      </div>
      <HoldButton
        label={t("forget.act_belief")}
        version={belief.id}
        needsHold
        disabled={missing}
        pending={forget.pending}
        testId="forget-submit"
        onAct={() => forget.run({ id: belief.id, reason: reason.trim() }, () => onDone(t("forget.done_belief")))}
      />
      <Button look="quiet" onClick={onClose}>
        {t("safety.cancel")}
      </Button>
      <span className={`${styles.muted} ${styles.wide}`}>{t("forget.means")}</span>
      <div className={styles.wide}>
        <Refusal error={forget.error} />
      </div>
    </div>
  );
}
