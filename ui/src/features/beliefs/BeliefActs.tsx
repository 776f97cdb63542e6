import { useRef, useState } from "react";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./BeliefDetail.module.css";
import { CorrectForm } from "./CorrectForm";
import { ForgetForm } from "./ForgetForm";
import { PinForm } from "./PinForm";

type Form = "pin" | "correct" | "forget";

/** Actions of a person on a belief. */
export function BeliefActs({ belief, onForgotten }: { belief: BeliefRow; onForgotten: (message: string) => void }) {
  const [form, setForm] = useState<Form | null>(null);
  const confirm = useOperation("confirm_belief");
  const unpin = useOperation("pin_belief");
  const commands = useCommandRefusal();
  const admin = useAdminRefusal();
  const opener = useRef<HTMLElement | null>(null);
  const open = (next: Form) => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setForm(next === form ? null : next);
  };
  const close = () => {
    setForm(null);
    opener.current?.focus();
  };
  return (
    <div className={styles.acts}>
      <Button
        data-testid="belief-confirm"
        disabled={commands !== null || confirm.pending}
        onClick={() => confirm.run({ id: belief.id })}
      >
        {confirm.pending ? t("hold.sending") : t("beliefs.confirm")}
      </Button>
      <Button
        data-testid="belief-correct"
        aria-expanded={form === "correct"}
        disabled={commands !== null}
        onClick={() => open("correct")}
      >
        {t("beliefs.correct")}
      </Button>
      <Button
        data-testid="belief-pin"
        aria-expanded={form === "pin"}
        disabled={commands !== null}
        onClick={() => open("pin")}
      >
        {t("beliefs.pin")}
      </Button>
      {belief.pinned_until !== null && (
        <Button
          data-testid="belief-unpin"
          disabled={commands !== null || unpin.pending}
          onClick={() => unpin.run({ id: belief.id, until: null })}
        >
          {unpin.pending ? t("hold.sending") : t("beliefs.unpin")}
        </Button>
      )}
      <Button
        data-testid="belief-forget"
        aria-expanded={form === "forget"}
        disabled={admin !== null}
        onClick={() => open("forget")}
      >
        {t("beliefs.forget")}
      </Button>
      <span className={styles.muted}>
        {commands ?? (admin === null ? "" : t("beliefs.forget_needs", { why: admin }))}
      </span>
      <div className={styles.wide}>
        <Refusal error={confirm.error ?? unpin.error} />
      </div>
      {form === "pin" && <PinForm belief={belief} onDone={close} onClose={close} />}
      {form === "correct" && <CorrectForm belief={belief} onDone={close} onClose={close} />}
      {form === "forget" && <ForgetForm belief={belief} onDone={onForgotten} onClose={close} />}
    </div>
  );
}
