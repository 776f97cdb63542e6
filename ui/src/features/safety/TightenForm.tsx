import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { useCommandRefusal } from "../../shared/hooks/useCommandRefusal";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import { ChangedLimit } from "./ChangedLimit";
import type { ChangeFormProps } from "./change-form";
import { FormPanel } from "../../shared/fields/FormPanel";
import styles from "../../shared/fields/forms.module.css";
import { draftOf, fieldAt } from "./limit-draft";
import { diffLimits } from "./limit-diff";
import { kindOf, kindText, paramsOf } from "./limit-kinds";
import { Outdated } from "./Outdated";
import { pathOf } from "../../shared/fields/refusal";
import { useBaseRow } from "./useBaseRow";
import { useLimitDraft } from "./useLimitDraft";

/** Makes a limit tighter, at once. Whether it is tighter, the station decides. */
export function TightenForm({ robot, opened, rows, onClose, onDone }: ChangeFormProps) {
  const row = useBaseRow(opened, rows);
  const { base, outdated } = row;
  const kind = kindOf(base.constraint);
  const tighten = useOperation("tighten_constraint");
  const form = useLimitDraft(() => draftOf(base.constraint), tighten.forget);
  const refusal = useCommandRefusal();
  const limit = form.reading.limit;
  const same = limit !== null && diffLimits(base.constraint, limit).every(({ changed }) => !changed);

  const submit = () => {
    const wanted = form.attempt();
    if (!wanted || refusal !== null || outdated || same) return;
    tighten.run({ id: base.id, version: base.version, params_json: JSON.stringify(paramsOf(wanted)) }, ({ message }) => onDone(message));
  };

  return (
    <FormPanel title={t("limit_form.tighten", { limit: kindText(kind), robot: robot.id })} onSubmit={submit} onClose={onClose}>
      <Outdated base={row} />
      <ChangedLimit robot={robot} base={base} form={form} error={tighten.error} />
      <div className={styles.act}>
        <Button type="submit" look="strong" data-testid="limit-submit" disabled={refusal !== null || outdated || same || tighten.pending}>
          {tighten.pending ? t("hold.sending") : t("limit_form.do_tighten")}
        </Button>
        <span className={styles.hint}>{refusal ?? (same ? t("limit_form.nothing_changed") : t("limit_form.at_once"))}</span>
      </div>
      {fieldAt(kind, pathOf(tighten.error)) === null && <Refusal error={tighten.error} />}
    </FormPanel>
  );
}
