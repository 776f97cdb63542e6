import { useEffect, useRef, useState } from "react";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import form from "../../design/fields/ReasonForm.module.css";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useFocusBack } from "../../design/fields/useFocusBack";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { spanText } from "./alarm-words";

/** Offered spans, seconds; the station refuses one that is too long for this alarm. */
const SPANS_SECS = [900, 1_800, 3_600, 7_200, 14_400, 28_800] as const;

type ShelveFormProps = { alarm: AlarmRow; refusal: string | null; onDone: () => void; onGone: () => void };

/** Hides an alarm for a while, with a reason; it comes back by itself (AL-06). */
export function ShelveForm({ alarm, refusal, onDone, onGone }: ShelveFormProps) {
  const shelve = useOperation("shelve_alarm");
  const [secs, setSecs] = useState<string>(String(SPANS_SECS[0]));
  const [reason, setReason] = useState("");
  const part = useRef<HTMLFormElement>(null);
  const missing = reason.trim() === "";
  useFocusBack(part, onGone);

  // Synchronises with the focus of the window: whoever opened the form wants to fill it in.
  useEffect(() => part.current?.querySelector("select")?.focus(), []);

  return (
    <form
      ref={part}
      noValidate
      className={form.form}
      data-testid="shelve-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === null && !missing)
          shelve.run({ id: alarm.id, secs: Number(secs), reason: reason.trim() }, onDone);
      }}
    >
      <SelectField
        label={t("alarms.shelve_for")}
        value={secs}
        options={SPANS_SECS.map((span) => ({ value: String(span), text: spanText(span) }))}
        problem={null}
        onChange={(next) => {
          setSecs(next);
          shelve.forget();
        }}
      />
      <div className={form.field}>
        <TextField
          label={t("alarms.why_shelve")}
          value={reason}
          problem={null}
          testId="shelve-reason"
          onChange={(next) => {
            setReason(next);
            shelve.forget();
          }}
        />
      </div>
      <Button
        type="submit"
        look="primary"
        data-testid="shelve-submit"
        disabled={refusal !== null || missing || shelve.pending}
      >
        {shelve.pending ? t("hold.sending") : t("alarms.do_shelve")}
      </Button>
      <span className={form.hint}>{refusal ?? (missing ? t("limit_form.needs_reason") : t("alarms.comes_back"))}</span>
      <div className={form.refusal}>
        <Refusal error={shelve.error} />
      </div>
    </form>
  );
}
