import type { HostError } from "../../host/host";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { t } from "../../locales/i18n";
import styles from "../../design/fields/forms.module.css";
import type { ChangePreview } from "./useChangePreview";

type PreviewBarProps = {
  change: ChangePreview;
  /** A refusal that no field of the form shows. */
  error: HostError | null;
  reason: string;
  onReason: (reason: string) => void;
  /** Blocker of the change besides a missing reason; null if there is none. */
  blocked: string | null;
  outdated: boolean;
};

/** The reason, and the question to the station that comes before the confirmation. */
export function PreviewBar({ change, error, reason, onReason, blocked, outdated }: PreviewBarProps) {
  const unsaid = reason.trim() === "";
  const hint = blocked ?? (unsaid ? t("limit_form.needs_reason") : t("limit_form.preview_first"));
  return (
    <>
      <TextField
        label={t("limit_form.reason")}
        value={reason}
        problem={null}
        onChange={onReason}
        testId="limit-reason"
      />
      <div className={styles.act}>
        <Button
          type="submit"
          data-testid="limit-preview"
          disabled={blocked !== null || unsaid || outdated || change.pending}
        >
          {change.pending ? t("hold.sending") : t("limit_form.preview")}
        </Button>
        <span className={styles.hint}>{hint}</span>
      </div>
      <Refusal error={error} />
    </>
  );
}
