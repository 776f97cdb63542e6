import type { Proposal } from "../../bindings/Proposal";
import type { RejectReason } from "../../bindings/RejectReason";
import { Button } from "../components/Button";
import { Refusal } from "../components/Refusal";
import { useOperation } from "../hooks/useOperation";
import { t } from "../i18n";
import styles from "./RejectForm.module.css";

const REASONS: readonly RejectReason[] = ["wrong_place", "wrong_robot", "not_now", "unsafe", "other"];

/** One click per reason; the agent is told which. */
export function RejectForm({ proposal }: { proposal: Proposal }) {
  const reject = useOperation("reject_proposal");
  const { id, version } = proposal;
  return (
    <fieldset className={styles.form} disabled={reject.pending}>
      <legend className={styles.legend}>{t("reject.why")}</legend>
      <div className={styles.reasons}>
        {REASONS.map((reason) => (
          <Button key={reason} data-testid={`reject-${reason}`} onClick={() => reject.run({ id, version, reason })}>
            {t(`reject.${reason}`)}
          </Button>
        ))}
      </div>
      <Refusal error={reject.error} />
    </fieldset>
  );
}
