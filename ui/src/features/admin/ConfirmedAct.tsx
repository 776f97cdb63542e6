import type { OperationName } from "../../host/operations";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useAsked } from "../../domain/station/useAsked";
import type { OperationCall } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

type ConfirmedActProps = {
  /** Begins the test ids: `key-remove` gives `key-remove-<id>` and `key-remove-yes-<id>`. */
  kind: string;
  id: string;
  text: string;
  /** Label for a person who cannot see the row. */
  label: string;
  /** The act itself. */
  doText: string;
  call: Pick<OperationCall<OperationName>, "pending" | "error" | "forget">;
  onAct: () => void;
};

/** An act of an Admin at the end of a row, which asks once more. */
export function ConfirmedAct({ kind, id, text, label, doText, call, onAct }: ConfirmedActProps) {
  const refusal = useAdminRefusal();
  const title = refusal ?? undefined;
  const { asked, asks, givesUp, ask, giveUp, onKeyDown, onConfirm } = useAsked(call.forget);
  return (
    <span className={styles.acts}>
      {asked ? (
        <>
          <Button
            data-testid={`${kind}-yes-${id}`}
            disabled={refusal !== null || call.pending}
            title={title}
            onKeyDown={onKeyDown}
            onClick={onConfirm(onAct)}
          >
            {call.pending ? t("hold.sending") : doText}
          </Button>
          <Button ref={givesUp} look="quiet" onKeyDown={onKeyDown} onClick={giveUp}>
            {t("safety.cancel")}
          </Button>
        </>
      ) : (
        <Button
          ref={asks}
          look="quiet"
          data-testid={`${kind}-${id}`}
          aria-label={label}
          disabled={refusal !== null}
          title={title}
          onClick={ask}
        >
          {text}
        </Button>
      )}
      <Refusal error={call.error} />
    </span>
  );
}
