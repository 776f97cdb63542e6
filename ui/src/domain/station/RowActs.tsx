import type { OperationName } from "../../host/operations";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useAdminRefusal } from "./useAdminRefusal";
import { useAsked } from "./useAsked";
import type { OperationCall } from "./useOperation";
import { t } from "../../locales/i18n";
import styles from "./RowActs.module.css";

type RowActsProps = {
  /** Begins the test ids: `rule` gives `rule-edit-<id>` and `rule-remove-<id>`. */
  kind: string;
  id: string;
  /** Labels of the buttons for a person who cannot see the row. */
  edit: string;
  remove: string;
  /** The removal itself, and what goes with it. */
  doRemove: string;
  takes?: string;
  removal: Pick<OperationCall<OperationName>, "pending" | "error" | "forget">;
  onEdit: () => void;
  onRemove: (onDone: () => void) => void;
};

/** An Admin edits or removes what a row of a table stands for. Removing asks once more. */
export function RowActs({ kind, id, edit, remove, doRemove, takes, removal, onEdit, onRemove }: RowActsProps) {
  const refusal = useAdminRefusal();
  const { asked, asks, givesUp, ask, giveUp, onKeyDown, onConfirm } = useAsked(removal.forget);
  const act = { look: "quiet", disabled: refusal !== null, title: refusal ?? undefined } as const;
  if (asked) {
    return (
      <span className={styles.confirm}>
        <Button
          data-testid={`${kind}-remove-yes-${id}`}
          disabled={refusal !== null || removal.pending}
          onKeyDown={onKeyDown}
          onClick={onConfirm(() => onRemove(giveUp))}
        >
          {removal.pending ? t("hold.sending") : doRemove}
        </Button>
        <Button ref={givesUp} look="quiet" onKeyDown={onKeyDown} onClick={giveUp}>
          {t("safety.cancel")}
        </Button>
        {takes !== undefined && <span className={styles.takes}>{takes}</span>}
        <Refusal error={removal.error} />
      </span>
    );
  }
  return (
    <span className={styles.acts}>
      <Button {...act} data-testid={`${kind}-edit-${id}`} aria-label={edit} onClick={onEdit}>
        {t("rules.edit")}
      </Button>
      <Button ref={asks} {...act} data-testid={`${kind}-remove-${id}`} aria-label={remove} onClick={ask}>
        {t("rules.remove")}
      </Button>
    </span>
  );
}
