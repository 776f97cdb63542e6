import { useRef, useState } from "react";
import type { HostError } from "../../host/host";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { parseDecimal } from "../../design/fields/decimal";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { TextField } from "../../design/fields/TextField";
import { useFirstField } from "../../design/fields/useFirstField";
import { useFocusBack } from "../../design/fields/useFocusBack";
import { t } from "../../locales/i18n";

/** Minutes first offered: enough to write the missing limits down. */
const FIRST_MINUTES = "15";
const MINUTES_MAX = 60;

type GrantFormProps = {
  robot: string;
  refusal: string | null;
  call: { pending: boolean; error: HostError | null; forget: () => void };
  onGrant: (minutes: number, reason: string) => void;
  /** The form was taken away with the focus in it. */
  onGone: () => void;
};

/** For how long, why, and the robot's name written out: nobody does this by a slip. */
export function GrantForm({ robot, refusal, call, onGrant, onGone }: GrantFormProps) {
  const [minutes, setMinutes] = useState(FIRST_MINUTES);
  const [reason, setReason] = useState("");
  const [name, setName] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(form, onGone);
  useFirstField(form);
  const decimal = parseDecimal(minutes);
  const whole =
    "value" in decimal && Number.isInteger(decimal.value) && decimal.value >= 1 && decimal.value <= MINUTES_MAX
      ? decimal.value
      : null;
  // Exactly the id: the name of a neighbouring robot often differs in one digit.
  const ready = refusal === null && whole !== null && reason.trim() !== "" && name.trim() === robot;
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text);
    call.forget();
  };
  return (
    <form
      ref={form}
      noValidate
      className={forms.column}
      data-testid="grant-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onGrant(whole, reason.trim());
      }}
    >
      <div className={forms.row}>
        <NumberField
          field={{ label: t("unconstrained.minutes"), unit: "min", step: 5 }}
          text={minutes}
          problem={whole === null ? t("unconstrained.minutes_problem") : null}
          onText={edit(setMinutes)}
        />
        <TextField
          label={t("unconstrained.why")}
          value={reason}
          problem={null}
          testId="grant-reason"
          onChange={edit(setReason)}
        />
        <TextField
          label={t("unconstrained.confirm", { robot })}
          value={name}
          problem={null}
          testId="grant-name"
          onChange={edit(setName)}
        />
      </div>
      <p className={forms.act}>
        <Button type="submit" look="primary" data-testid="grant-submit" disabled={!ready || call.pending}>
          {call.pending ? t("hold.sending") : t("unconstrained.do")}
        </Button>
        <span className={forms.hint}>{t("unconstrained.means")}</span>
      </p>
      <Refusal error={call.error} />
    </form>
  );
}
