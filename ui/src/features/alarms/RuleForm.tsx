import { useState } from "react";
import type { AlertRegistered } from "../../bindings/AlertRegistered";
import type { AlertRow } from "../../bindings/AlertRow";
import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { CodeField } from "../../shared/fields/CodeField";
import { FormPanel } from "../../shared/fields/FormPanel";
import forms from "../../shared/fields/forms.module.css";
import { NumberField } from "../../shared/fields/NumberField";
import { pathOf, problemAt } from "../../shared/fields/refusal";
import { SelectField } from "../../shared/fields/SelectField";
import { TextField } from "../../shared/fields/TextField";
import { useAdminRefusal } from "../../shared/hooks/useAdminRefusal";
import { useOperation } from "../../shared/hooks/useOperation";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import { AlarmFields } from "./AlarmFields";
import { changeOf, draftOf, readRule } from "./rule-draft";
import { RULE_PATHS } from "./rule-paths";

type RuleFormProps = { row: AlertRow | null; onKey: string | null; onClose: () => void; onDone: (answer: AlertRegistered) => void };

/** Writes a rule, or changes one. Its debounce and its quota go on. */
export function RuleForm({ row, onKey, onClose, onDone }: RuleFormProps) {
  const register = useOperation("register_alert");
  const update = useOperation("update_alert");
  const missions = useRows("missions", "list_missions", {});
  const refusal = useAdminRefusal();
  const [draft, setDraft] = useState(() => draftOf(row, onKey));
  const [tried, setTried] = useState(false);
  const reading = readRule(draft);
  const { error } = row === null ? register : update;
  const pending = register.pending || update.pending;

  const change = (patch: Partial<typeof draft>) => {
    register.forget();
    update.forget();
    setDraft({ ...draft, ...patch });
  };
  const submit = () => {
    setTried(reading.problems !== null);
    if (reading.rule === null || refusal !== null) return;
    if (row === null) register.run(reading.rule, onDone);
    else update.run({ alert_id: row.id, ...changeOf(reading.rule) }, onDone);
  };
  const numberProblem = (name: keyof typeof draft.numbers, path: string) => {
    const problem = tried ? reading.problems?.[name] : undefined;
    return problem === undefined ? (problemAt(error, path)?.message ?? null) : t(`field_problem.${problem}`);
  };
  const setNumber = (name: keyof typeof draft.numbers) => (text: string) => change({ numbers: { ...draft.numbers, [name]: text } });
  const ids = (missions.data?.rows ?? []).map(({ id }) => id);

  return (
    <FormPanel title={t(row === null ? "rule_form.new" : "rule_form.edit")} onSubmit={submit} onClose={onClose}>
      <CodeField
        label={t("rule_form.predicate")}
        value={draft.predicate}
        problem={problemAt(error, "predicate")}
        rows={2}
        example="person.location = 'kitchen' AND NOT stale(person.location)"
        testId="rule-predicate"
        onChange={(predicate) => change({ predicate })}
      />
      <p className={forms.hint}>{t("rule_form.grammar")}</p>
      <div className={forms.row}>
        <TextField label={t("rule_form.description")} value={draft.description} problem={problemAt(error, "description")?.message ?? null} testId="rule-description" onChange={(description) => change({ description })} />
        {row === null && (
          <SelectField
            label={t("rule_form.mission")}
            value={draft.mission}
            options={[{ value: "", text: t("rule_form.always") }, ...ids.map((id) => ({ value: id, text: id }))]}
            problem={problemAt(error, "mission_id")?.message ?? null}
            onChange={(mission) => change({ mission })}
          />
        )}
        <NumberField field={{ label: t("rule_form.debounce"), unit: "s", step: 10 }} text={draft.numbers.debounce_secs} problem={numberProblem("debounce_secs", "debounce_secs")} onText={setNumber("debounce_secs")} />
        <NumberField field={{ label: t("rule_form.boost"), unit: "", step: 0.5 }} text={draft.numbers.arousal_boost} problem={numberProblem("arousal_boost", "arousal_boost")} onText={setNumber("arousal_boost")} />
      </div>
      <AlarmFields isAlarm={(row?.alarm ?? null) !== null} draft={draft} error={error} onChange={change} onNumber={setNumber} problemOf={numberProblem} />
      <div className={forms.act}>
        <Button type="submit" look="strong" data-testid="rule-submit" disabled={refusal !== null || pending}>
          {pending ? t("hold.sending") : t(row === null ? "rule_form.register" : "rule_form.save")}
        </Button>
        <span className={forms.hint}>{refusal ?? ""}</span>
      </div>
      {!RULE_PATHS.includes(pathOf(error)) && <Refusal error={error} />}
    </FormPanel>
  );
}
