import type { HostError } from "../../host/host";
import { CheckField } from "../../design/fields/CheckField";
import { CodeField } from "../../design/fields/CodeField";
import type { DecimalProblem } from "../../design/fields/decimal";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { problemAt } from "../../design/fields/refusal";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import type { NumberName, ProviderDraft, TextName } from "./provider-draft";

type ProviderFieldsProps = {
  draft: ProviderDraft;
  problems: Partial<Record<NumberName, DecimalProblem>> | null;
  error: HostError | null;
  onChange: (draft: ProviderDraft) => void;
};

/** Every parameter of a provider; the station's refusals stand at their fields, and point at the column. */
export function ProviderFields(fields: ProviderFieldsProps) {
  return (
    <>
      <div className={forms.row}>
        <Code {...fields} name="world_state_key_template" example="{label}.location" />
        <Code {...fields} name="value_field" example="zone" />
        <Code {...fields} name="filter" example="confidence > 0.8" />
        <Amount {...fields} name="max_age_secs" unit="s" step={5} />
      </div>
      <details>
        <summary>{t("provider_form.more")}</summary>
        <RareFields {...fields} />
      </details>
    </>
  );
}

/** Parameters that most providers do without. */
function RareFields(fields: ProviderFieldsProps) {
  const { draft, error, onChange } = fields;
  const missions = useRows("missions", "list_missions", {});
  const ids = (missions.data?.rows ?? []).map(({ id }) => id);
  return (
    <div className={forms.column}>
      <div className={forms.row}>
        <Code {...fields} name="confidence_field" example="confidence" />
        <Amount {...fields} name="confidence_default" unit="" step={0.05} />
        <Code {...fields} name="timestamp_field" example="header.stamp" />
        <Code {...fields} name="rows" example="detections" />
        <Amount {...fields} name="min_interval_secs" unit="s" step={1} />
        <Amount {...fields} name="max_keys" unit="" step={10} />
        <TextField
          label={t("provider_field.unit")}
          value={draft.texts.unit}
          problem={problemAt(error, "unit")?.message ?? null}
          testId="provider-unit"
          onChange={(unit) => onChange(withText(draft, "unit", unit))}
        />
        <SelectField
          label={t("rule_form.mission")}
          value={draft.texts.mission_id}
          options={[{ value: "", text: t("rule_form.always") }, ...ids.map((id) => ({ value: id, text: id }))]}
          problem={problemAt(error, "mission_id")?.message ?? null}
          onChange={(mission) => onChange(withText(draft, "mission_id", mission))}
        />
      </div>
      <CodeField
        lines
        label={t("provider_field.closed_sets")}
        value={draft.closed_sets}
        problem={problemAt(error, "closed_sets")}
        rows={3}
        example="label: person, dog"
        testId="provider-closed_sets"
        onChange={(closed_sets) => onChange({ ...draft, closed_sets })}
      />
      <p className={forms.hint}>{t("provider_form.closed_sets")}</p>
      <CheckField
        label={t("provider_form.estimated")}
        checked={draft.estimated}
        onChange={(estimated) => onChange({ ...draft, estimated })}
      />
    </div>
  );
}

function Code({ draft, error, onChange, name, example }: ProviderFieldsProps & { name: TextName; example: string }) {
  return (
    <CodeField
      label={t(`provider_field.${name}`)}
      value={draft.texts[name]}
      problem={problemAt(error, name)}
      example={example}
      testId={`provider-${name}`}
      onChange={(text) => onChange(withText(draft, name, text))}
    />
  );
}

type AmountProps = ProviderFieldsProps & { name: NumberName; unit: string; step: number };

function Amount({ draft, problems, error, onChange, name, unit, step }: AmountProps) {
  const problem = problems?.[name];
  return (
    <NumberField
      field={{ label: t(`provider_field.${name}`), unit, step }}
      text={draft.numbers[name]}
      problem={problem === undefined ? (problemAt(error, name)?.message ?? null) : t(`field_problem.${problem}`)}
      onText={(text) => onChange({ ...draft, numbers: { ...draft.numbers, [name]: text } })}
    />
  );
}

function withText(draft: ProviderDraft, name: TextName, text: string): ProviderDraft {
  return { ...draft, texts: { ...draft.texts, [name]: text } };
}
