import { useState } from "react";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import type { ChangeFormProps } from "./change-form";
import { Confirmation } from "./Confirmation";
import { FormPanel } from "../../design/fields/FormPanel";
import { kindOf, kindText } from "./limit-kinds";
import { Outdated } from "./Outdated";
import { PreviewBar } from "./PreviewBar";
import { useBaseRow } from "./useBaseRow";
import { useChangePreview } from "./useChangePreview";

/** Removes a limit: a reason, the station's preview, and a press of 1 s by an Admin. */
export function RemoveForm({ robot, opened, rows, onClose, onDone }: ChangeFormProps) {
  const row = useBaseRow(opened, rows);
  const { base, outdated } = row;
  const [reason, setReason] = useState("");
  const remove = useOperation("remove_constraint");
  const refusal = useAdminRefusal();
  const change = useChangePreview(base);
  const preview = change.previewOf(null);
  const ready = refusal === null && !outdated && reason.trim() !== "";
  const title = t("limit_form.remove", { limit: kindText(kindOf(base.constraint)), robot: robot.id });

  const ask = () => {
    if (!ready) return;
    remove.forget();
    change.ask(null);
  };
  const confirm = (preview_id: string) => {
    if (!ready) return;
    // The version too: the station refuses a removal from a set that has changed since the form was opened.
    remove.run({ id: base.id, version: base.version, reason: reason.trim(), preview_id }, () =>
      onDone(t("limit_form.done_remove")),
    );
  };

  return (
    <FormPanel title={title} onSubmit={ask} onClose={onClose}>
      <Outdated base={row} />
      <PreviewBar
        change={change}
        error={change.error}
        reason={reason}
        onReason={setReason}
        blocked={refusal}
        outdated={outdated}
      />
      {preview && (
        <Confirmation
          preview={preview}
          label={t("limit_form.do_remove")}
          disabled={!ready}
          pending={remove.pending}
          error={remove.error}
          onConfirm={confirm}
        />
      )}
    </FormPanel>
  );
}
