import { useEffect, useRef, useState } from "react";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { RejectReason } from "../../generated/bindings/RejectReason";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import { everyWord } from "../../host/variants";
import styles from "./RejectForm.module.css";

const REASONS = everyWord<RejectReason>({
  wrong_place: true,
  wrong_robot: true,
  not_now: true,
  unsafe: true,
  other: true,
});

/** The station cuts a longer note. */
const NOTE_CHARS_MAX = 500;

/** One click per reason; the agent is told which, and the note if there is one. */
export function RejectForm({ proposal }: { proposal: Proposal }) {
  const reject = useOperation("reject_proposal");
  const [note, setNote] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { id, version } = proposal;
  const said = note.trim();

  // Synchronises with the focus of the window: whoever opened the form goes on here, and back to the card without it.
  useEffect(() => field.current?.focus(), []);

  return (
    <fieldset className={styles.form}>
      <legend className={styles.legend}>{t("reject.why")}</legend>
      <label className={styles.note}>
        {t("reject.note")}
        <input
          ref={field}
          type="text"
          autoComplete="off"
          maxLength={NOTE_CHARS_MAX}
          data-testid="reject-note"
          readOnly={reject.pending}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      <div className={styles.reasons}>
        {REASONS.map((reason) => (
          <Button
            key={reason}
            data-testid={`reject-${reason}`}
            disabled={reject.pending}
            // No guard and no hold: rejecting moves nothing, and has to be quick.
            onClick={() => reject.run({ id, version, reason, ...(said === "" ? {} : { note: said }) })}
          >
            {t(`reject.${reason}`)}
          </Button>
        ))}
      </div>
      <Refusal error={reject.error} />
    </fieldset>
  );
}
