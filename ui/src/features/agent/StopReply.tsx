import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Composer.module.css";

/** Ends the agent's reply. It looks nothing like STOP ALL and says that robots carry on, and which (U-905, X-02). */
export function StopReply({ turn }: { turn: string | null }) {
  const cancel = useOperation("turn_cancel");
  const [moving, setMoving] = useState<readonly string[]>([]);
  if (turn === null) {
    if (moving.length === 0) return null;
    return (
      <p className={styles.hint} role="status" data-testid="still-moving">
        {t("agent.still_moving", { count: moving.length, robots: moving.join(", ") })}
      </p>
    );
  }
  return (
    <div className={`${styles.bar} ${styles.stop}`}>
      <span className={styles.hint}>{t("agent.robots_carry_on")}</span>
      <Button
        look="quiet"
        data-testid="stop-reply"
        disabled={cancel.pending}
        onClick={() => cancel.run({ turn }, ({ still_moving }) => setMoving(still_moving ?? []))}
      >
        {cancel.pending ? t("hold.sending") : t("agent.stop_reply")}
      </Button>
      <Refusal error={cancel.error} />
    </div>
  );
}
