import type { Consequence } from "../../generated/bindings/Consequence";
import type { HostError } from "../../host/host";
import { CheckField } from "../../design/fields/CheckField";
import { CodeField } from "../../design/fields/CodeField";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { problemAt } from "../../design/fields/refusal";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { t } from "../../locales/i18n";
import { everyWord } from "../../host/variants";
import styles from "./AlarmFields.module.css";
import type { NumberName, RuleDraft } from "./rule-draft";

const CONSEQUENCES = everyWord<Consequence>({ harm: true, damage: true, mission: true, none: true });

type AlarmFieldsProps = {
  /** The rule makes alarms already: it can be changed, not taken away. */
  isAlarm: boolean;
  draft: RuleDraft;
  error: HostError | null;
  onChange: (patch: Partial<RuleDraft>) => void;
  onNumber: (name: NumberName) => (text: string) => void;
  problemOf: (name: NumberName, path: string) => string | null;
};

/** Fields of an alarm rule: without cause, consequence, response and time to respond it is an event (U-1304). */
export function AlarmFields({ isAlarm, draft, error, onChange, onNumber, problemOf }: AlarmFieldsProps) {
  return (
    <fieldset className={styles.alarm}>
      <legend className={styles.legend}>
        <CheckField
          label={t("rule_form.makes_alarm")}
          checked={draft.makesAlarm}
          disabled={isAlarm}
          testId="rule-makes-alarm"
          onChange={(makesAlarm) => onChange({ makesAlarm })}
        />
      </legend>
      {!draft.makesAlarm && <p className={forms.hint}>{t("rule_form.event_only")}</p>}
      {draft.makesAlarm && (
        <>
          <div className={forms.row}>
            <TextField
              label={t("rule_form.cause")}
              value={draft.cause}
              problem={problemAt(error, "alarm.cause")?.message ?? null}
              testId="rule-cause"
              onChange={(cause) => onChange({ cause })}
            />
            <TextField
              label={t("rule_form.response")}
              value={draft.response}
              problem={problemAt(error, "alarm.response")?.message ?? null}
              testId="rule-response"
              onChange={(response) => onChange({ response })}
            />
            <SelectField
              label={t("rule_form.consequence")}
              value={draft.consequence}
              options={CONSEQUENCES.map((value) => ({ value, text: t(`alarm_consequence.${value}`) }))}
              problem={null}
              onChange={(consequence) => onChange({ consequence })}
            />
            <NumberField
              field={{ label: t("rule_form.respond"), unit: "s", step: 30 }}
              text={draft.numbers.time_to_respond_secs}
              problem={problemOf("time_to_respond_secs", "alarm.time_to_respond_secs")}
              onText={onNumber("time_to_respond_secs")}
            />
            <NumberField
              field={{ label: t("rule_form.off_delay"), unit: "s", step: 5 }}
              text={draft.numbers.off_delay_secs}
              problem={problemOf("off_delay_secs", "alarm.off_delay_secs")}
              onText={onNumber("off_delay_secs")}
            />
          </div>
          <CodeField
            label={t("rule_form.suppress_when")}
            value={draft.suppress_when}
            problem={problemAt(error, "alarm.suppress_when")}
            testId="rule-suppress"
            onChange={(suppress_when) => onChange({ suppress_when })}
          />
          <CheckField
            label={t("rule_form.latching")}
            checked={draft.latching}
            onChange={(latching) => onChange({ latching })}
          />
        </>
      )}
    </fieldset>
  );
}
