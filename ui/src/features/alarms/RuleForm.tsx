import { useState } from "react";
import type { AlertRegistered } from "../../generated/bindings/AlertRegistered";
import type { AlertRow } from "../../generated/bindings/AlertRow";
import { Refusal } from "../../design/components/Refusal";
import { FormPanel } from "../../design/fields/FormPanel";
import { pathOf, problemAt } from "../../design/fields/refusal";
import { SubmitRow } from "../../design/fields/SubmitRow";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { AlarmFields } from "./AlarmFields";
import { changeOf, draftOf, readRule } from "./rule-draft";
import { RuleFields } from "./RuleFields";

/** The fields that show a refusal themselves, as the station names them. */
const RULE_PATHS: ReadonlySet<string> = new Set([
  "predicate",
  "description",
  "mission_id",
  "debounce_secs",
  "arousal_boost",
  "alarm.cause",
  "alarm.response",
  "alarm.time_to_respond_secs",
  "alarm.off_delay_secs",
  "alarm.suppress_when",
]);

type RuleFormProps = {
  row: AlertRow | null;
  onKey: string | null;
  onClose: () => void;
  onDone: (answer: AlertRegistered) => void;
};

/** Writes a rule, or changes one. Its debounce and its quota go on. */
export function RuleForm({ row, onKey, onClose, onDone }: RuleFormProps) {
  const register = useOperation("register_alert");
  const update = useOperation("update_alert");
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
  const setNumber = (name: keyof typeof draft.numbers) => (text: string) =>
    change({ numbers: { ...draft.numbers, [name]: text } });

  return (
    <FormPanel title={t(row === null ? "rule_form.new" : "rule_form.edit")} onSubmit={submit} onClose={onClose}>
      <RuleFields
        isNew={row === null}
        draft={draft}
        error={error}
        onChange={change}
        onNumber={setNumber}
        problemOf={numberProblem}
      />
      <AlarmFields
        isAlarm={(row?.alarm ?? null) !== null}
        draft={draft}
        error={error}
        onChange={change}
        onNumber={setNumber}
        problemOf={numberProblem}
      />
      <SubmitRow
        act={t(row === null ? "rule_form.register" : "rule_form.save")}
        pending={pending}
        disabled={refusal !== null}
        hint={refusal ?? ""}
        testId="rule-submit"
      />
      {!RULE_PATHS.has(pathOf(error)) && <Refusal error={error} />}
    </FormPanel>
  );
}
