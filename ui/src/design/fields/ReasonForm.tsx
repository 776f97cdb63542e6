import { useEffect, useRef, useState } from "react";
import type { HostError } from "../../host/host";
import { Button } from "../components/Button";
import { Refusal } from "../components/Refusal";
import { t } from "../../locales/i18n";
import styles from "./ReasonForm.module.css";
import { TextField } from "./TextField";
import { useFocusBack } from "./useFocusBack";

type ReasonFormProps = {
  label: string;
  act: string;
  testId: string;
  /** The refusal the station would give now; null if it would give none. */
  refusal: string | null;
  call: { pending: boolean; error: HostError | null; forget: () => void };
  onSubmit: (reason: string) => void;
  /** The form was taken away with the focus in it. */
  onGone: () => void;
};

/** One line of why, and the act it is for. Whoever opened it wants to write: the field takes the focus. */
export function ReasonForm({ label, act, testId, refusal, call, onSubmit, onGone }: ReasonFormProps) {
  const [reason, setReason] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const missing = reason.trim() === "";

  useFocusBack(form, onGone);

  // Synchronises with the focus of the window.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === null && !missing) onSubmit(reason.trim());
      }}
    >
      <div className={styles.field}>
        <TextField
          label={label}
          value={reason}
          problem={null}
          testId={`${testId}-reason`}
          onChange={(next) => {
            setReason(next);
            call.forget();
          }}
        />
      </div>
      <Button
        type="submit"
        look="primary"
        data-testid={`${testId}-submit`}
        disabled={refusal !== null || missing || call.pending}
      >
        {call.pending ? t("hold.sending") : act}
      </Button>
      <span className={styles.hint}>{refusal ?? (missing ? t("limit_form.needs_reason") : "")}</span>
      <div className={styles.refusal}>
        <Refusal error={call.error} />
      </div>
    </form>
  );
}
