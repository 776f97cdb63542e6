import type { HostError } from "../../host/host";
import { CodeField } from "../../shared/fields/CodeField";
import type { DecimalProblem } from "../../shared/fields/decimal";
import forms from "../../shared/fields/forms.module.css";
import { NumberField } from "../../shared/fields/NumberField";
import check from "../../shared/fields/ReasonForm.module.css";
import { problemAt } from "../../shared/fields/refusal";
import { SelectField } from "../../shared/fields/SelectField";
import { TextField } from "../../shared/fields/TextField";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import type { NumberName, ProviderDraft, TextName } from "./provider-draft";

type ProviderFieldsProps = { draft: ProviderDraft; problems: Partial<Record<NumberName, DecimalProblem>> | null; error: HostError | null; onChange: (draft: ProviderDraft) => void };

/** Every parameter of a provider; the station's refusals stand at their fields, and point at the column. */
export function ProviderFields({ draft, problems, error, onChange }: ProviderFieldsProps) {
  const missions = useRows("missions", "list_missions", {});
  const setText = (name: TextName) => (text: string) => onChange({ ...draft, texts: { ...draft.texts, [name]: text } });
  const code = (name: TextName, example: string) => (
    <CodeField label={t(`provider_field.${name}`)} value={draft.texts[name]} problem={problemAt(error, name)} example={example} testId={`provider-${name}`} onChange={setText(name)} />
  );
  const number = (name: NumberName, unit: string, step: number) => {
    const problem = problems?.[name];
    return (
      <NumberField
        field={{ label: t(`provider_field.${name}`), unit, step }}
        text={draft.numbers[name]}
        problem={problem === undefined ? (problemAt(error, name)?.message ?? null) : t(`field_problem.${problem}`)}
        onText={(text) => onChange({ ...draft, numbers: { ...draft.numbers, [name]: text } })}
      />
    );
  };
  const ids = (missions.data?.rows ?? []).map(({ id }) => id);
  return (
    <>
      <div className={forms.row}>
        {code("world_state_key_template", "{label}.location")}
        {code("value_field", "zone")}
        {code("filter", "confidence > 0.8")}
        {number("max_age_secs", "s", 5)}
      </div>
      <details>
        <summary>{t("provider_form.more")}</summary>
        <div className={forms.column}>
          <div className={forms.row}>
            {code("confidence_field", "confidence")}
            {number("confidence_default", "", 0.05)}
            {code("timestamp_field", "header.stamp")}
            {code("rows", "detections")}
            {number("min_interval_secs", "s", 1)}
            {number("max_keys", "", 10)}
            <TextField label={t("provider_field.unit")} value={draft.texts.unit} problem={problemAt(error, "unit")?.message ?? null} testId="provider-unit" onChange={setText("unit")} />
            <SelectField
              label={t("rule_form.mission")}
              value={draft.texts.mission_id}
              options={[{ value: "", text: t("rule_form.always") }, ...ids.map((id) => ({ value: id, text: id }))]}
              problem={problemAt(error, "mission_id")?.message ?? null}
              onChange={setText("mission_id")}
            />
          </div>
          <CodeField lines label={t("provider_field.closed_sets")} value={draft.closed_sets} problem={problemAt(error, "closed_sets")} rows={3} example="label: person, dog" testId="provider-closed_sets" onChange={(closed_sets) => onChange({ ...draft, closed_sets })} />
          <p className={forms.hint}>{t("provider_form.closed_sets")}</p>
          <label className={check.looked}>
            <input type="checkbox" checked={draft.estimated} onChange={(event) => onChange({ ...draft, estimated: event.target.checked })} />
            {t("provider_form.estimated")}
          </label>
        </div>
      </details>
    </>
  );
}
