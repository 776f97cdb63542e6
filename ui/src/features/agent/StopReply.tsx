import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import styles from "./Composer.module.css";

/** Ends the agent's reply. It looks nothing like STOP ALL and says that robots carry on (U-905). */
export function StopReply({ turn }: { turn: string | null }) {
  const cancel = useOperation("turn_cancel");
  if (turn === null) return null;
  return (
    <div className={styles.bar}>
      <span className={styles.hint}>{t("agent.robots_carry_on")}</span>
      <Button look="quiet" data-testid="stop-reply" disabled={cancel.pending} onClick={() => cancel.run({ turn })}>
        {t("agent.stop_reply")}
      </Button>
      <Refusal error={cancel.error} />
    </div>
  );
}
