import type { ConstraintPreview } from "../../generated/bindings/ConstraintPreview";
import type { HostError } from "../../host/host";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { t } from "../../locales/i18n";
import styles from "./Confirmation.module.css";
import { DiffTable } from "./DiffTable";
import { TriedCommands } from "./TriedCommands";

type ConfirmationProps = {
  preview: ConstraintPreview;
  label: string;
  disabled: boolean;
  pending: boolean;
  error: HostError | null;
  onConfirm: (preview_id: string) => void;
};

/** Effect of the change as the station states it, and the press of 1 s that confirms exactly that (U-1603). */
export function Confirmation({ preview, label, disabled, pending, error, onConfirm }: ConfirmationProps) {
  const robots = preview.robots.join(", ");
  return (
    <div className={styles.confirmation} data-testid="confirmation">
      <p>
        <strong>{t(`limit_form.${preview.direction}`)}</strong> {t("limit_form.binds", { robots })}
      </p>
      <DiffTable old_limit={preview.old} new_limit={preview.new} />
      {preview.leaves_incomplete && (
        <p>
          <strong>{t("limit_form.incomplete", { robots })}</strong>
        </p>
      )}
      <TriedCommands preview={preview} />
      <HoldButton
        testId="confirm"
        label={label}
        // A new preview is another change: the hold begins anew.
        version={preview.preview_id}
        needsHold
        disabled={disabled}
        pending={pending}
        onAct={() => onConfirm(preview.preview_id)}
      />
      <Refusal error={error} />
    </div>
  );
}
