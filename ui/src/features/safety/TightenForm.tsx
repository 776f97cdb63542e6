import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { ChangedLimit } from "./ChangedLimit";
import type { NumbersFormProps } from "./change-form";
import { FormPanel } from "../../design/fields/FormPanel";
import { SubmitRow } from "../../design/fields/SubmitRow";
import { draftOf, fieldAt } from "./limit-draft";
import { diffLimits } from "./limit-diff";
import { kindOf, kindText, paramsOf } from "./limit-kinds";
import { Outdated } from "./Outdated";
import { pathOf } from "../../design/fields/refusal";
import { useBaseRow } from "./useBaseRow";
import { useLimitDraft } from "./useLimitDraft";

/** Makes a limit tighter, at once. Whether it is tighter, the station decides. */
export function TightenForm({ robot, opened, moved, rows, onClose, onDone }: NumbersFormProps) {
  const row = useBaseRow(opened, rows);
  const { base, outdated } = row;
  const kind = kindOf(base.constraint);
  const tighten = useOperation("tighten_constraint");
  const form = useLimitDraft(() => draftOf(moved ?? base.constraint), tighten.forget);
  const refusal = useCommandRefusal();
  const limit = form.reading.limit;
  const same = limit !== null && diffLimits(base.constraint, limit).every(({ changed }) => !changed);

  const submit = () => {
    const wanted = form.attempt();
    if (!wanted || refusal !== null || outdated || same) return;
    tighten.run({ id: base.id, version: base.version, params_json: JSON.stringify(paramsOf(wanted)) }, () =>
      onDone(t("limit_form.tightened")),
    );
  };

  return (
    <FormPanel
      title={t("limit_form.tighten", { limit: kindText(kind), robot: robot.id })}
      onSubmit={submit}
      onClose={onClose}
    >
      <Outdated base={row} />
      <ChangedLimit robot={robot} base={base} form={form} error={tighten.error} />
      <SubmitRow
        act={t("limit_form.do_tighten")}
        pending={tighten.pending}
        disabled={refusal !== null || outdated || same}
        hint={refusal ?? t(same ? "limit_form.nothing_changed" : "limit_form.at_once")}
        testId="limit-submit"
      />
      {fieldAt(kind, pathOf(tighten.error)) === null && <Refusal error={tighten.error} />}
    </FormPanel>
  );
}
