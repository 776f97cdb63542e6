import type { HostError } from "../../host/host";
import { CodeField } from "../../design/fields/CodeField";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { problemAt } from "../../design/fields/refusal";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import type { NumberName, RuleDraft } from "./rule-draft";

type RuleFieldsProps = {
  /** The mission of a rule is chosen once. */
  isNew: boolean;
  draft: RuleDraft;
  error: HostError | null;
  onChange: (patch: Partial<RuleDraft>) => void;
  onNumber: (name: NumberName) => (text: string) => void;
  problemOf: (name: NumberName, path: string) => string | null;
};

/** The condition of a rule, and how much it counts. */
export function RuleFields({ isNew, draft, error, onChange, onNumber, problemOf }: RuleFieldsProps) {
  const missions = useRows("missions", "list_missions", {});
  const ids = (missions.data?.rows ?? []).map(({ id }) => id);
  return (
    <>
      <CodeField
        label={t("rule_form.predicate")}
        value={draft.predicate}
        problem={problemAt(error, "predicate")}
        rows={2}
        example="person.location = 'kitchen' AND NOT stale(person.location)"
        testId="rule-predicate"
        onChange={(predicate) => onChange({ predicate })}
      />
      <p className={forms.hint}>{t("rule_form.grammar")}</p>
      <div className={forms.row}>
        <TextField
          label={t("rule_form.description")}
          value={draft.description}
          problem={problemAt(error, "description")?.message ?? null}
          testId="rule-description"
          onChange={(description) => onChange({ description })}
        />
        {isNew && (
          <SelectField
            label={t("rule_form.mission")}
            value={draft.mission}
            options={[{ value: "", text: t("rule_form.always") }, ...ids.map((id) => ({ value: id, text: id }))]}
            problem={problemAt(error, "mission_id")?.message ?? null}
            onChange={(mission) => onChange({ mission })}
          />
        )}
        <NumberField
          field={{ label: t("rule_form.debounce"), unit: "s", step: 10 }}
          text={draft.numbers.debounce_secs}
          problem={problemOf("debounce_secs", "debounce_secs")}
          onText={onNumber("debounce_secs")}
        />
        <NumberField
          field={{ label: t("rule_form.boost"), unit: "", step: 0.5 }}
          text={draft.numbers.arousal_boost}
          problem={problemOf("arousal_boost", "arousal_boost")}
          onText={onNumber("arousal_boost")}
        />
      </div>
    </>
  );
}
