import { useState } from "react";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { ChangedLimit } from "./ChangedLimit";
import type { NumbersFormProps } from "./change-form";
import { Confirmation } from "./Confirmation";
import { FormPanel } from "../../design/fields/FormPanel";
import { diffLimits } from "./limit-diff";
import { draftOf, fieldAt } from "./limit-draft";
import { kindOf, kindText, paramsOf } from "./limit-kinds";
import { Outdated } from "./Outdated";
import { PreviewBar } from "./PreviewBar";
import { pathOf } from "../../design/fields/refusal";
import { useBaseRow } from "./useBaseRow";
import { useChangePreview } from "./useChangePreview";
import { useLimitDraft } from "./useLimitDraft";

/** Makes a limit wider: a reason, the station's preview, and a press of 1 s by an Admin. */
export function LoosenForm({ robot, opened, moved, rows, onClose, onDone }: NumbersFormProps) {
  const row = useBaseRow(opened, rows);
  const { base, outdated } = row;
  const kind = kindOf(base.constraint);
  const change = useChangePreview(base);
  const form = useLimitDraft(() => draftOf(moved ?? base.constraint), change.forget);
  const [reason, setReason] = useState("");
  const loosen = useOperation("loosen_constraint");
  const refusal = useAdminRefusal();
  const limit = form.reading.limit;
  const params_json = limit && JSON.stringify(paramsOf(limit));
  // Only the preview of these very numbers: any other would confirm what nobody has seen.
  const preview = change.previewOf(params_json);
  const same = limit !== null && diffLimits(base.constraint, limit).every(({ changed }) => !changed);
  const ready = refusal === null && !outdated && !same && reason.trim() !== "";

  const ask = () => {
    if (form.attempt() === null || !ready) return;
    // The refusal was about the preview before.
    loosen.forget();
    change.ask(params_json);
  };
  const confirm = (preview_id: string) => {
    if (!ready || params_json === null) return;
    loosen.run({ id: base.id, version: base.version, params_json, reason: reason.trim(), preview_id }, () =>
      onDone(t("limit_form.loosened")),
    );
  };

  return (
    <FormPanel
      title={t("limit_form.loosen", { limit: kindText(kind), robot: robot.id })}
      onSubmit={ask}
      onClose={onClose}
    >
      <Outdated base={row} />
      <ChangedLimit robot={robot} base={base} form={form} error={change.error} />
      <PreviewBar
        change={change}
        error={fieldAt(kind, pathOf(change.error)) === null ? change.error : null}
        reason={reason}
        onReason={setReason}
        blocked={refusal ?? (same ? t("limit_form.nothing_changed") : null)}
        outdated={outdated}
      />
      {preview && (
        <Confirmation
          preview={preview}
          label={t("limit_form.do_loosen")}
          disabled={!ready}
          pending={loosen.pending}
          error={loosen.error}
          onConfirm={confirm}
        />
      )}
    </FormPanel>
  );
}
