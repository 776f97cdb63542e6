import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Composer.module.css";

/** Ends the agent's reply. It looks nothing like STOP ALL and says that robots carry on, and which (U-905, X-02). */
export function StopReply({ turn }: { turn: string | null }) {
  const [asked, setAsked] = useState<string | null>(null);
  const [stopped, setStopped] = useState<Stopped | null>(null);
  // Here and not in a part that ends with the reply: the reply can be over before the answer comes.
  const cancel = useOperation("turn_cancel");
  // The next reply ends by itself, and then nothing is known any more of what moved at the end of this one.
  if (turn !== null && stopped !== null && stopped.turn !== turn) setStopped(null);
  if (turn === null) return stopped && <StillMoving robots={stopped.moving} />;
  const stop = () => {
    setAsked(turn);
    cancel.run({ turn }, ({ still_moving }) => setStopped({ turn, moving: still_moving ?? [] }));
  };
  return (
    <div className={`${styles.bar} ${styles.stop}`}>
      <span className={styles.hint}>{t("agent.robots_carry_on")}</span>
      <Button
        look="quiet"
        data-testid="stop-reply"
        // Neither a lost station nor a role closes it: the station says if a reply can be ended.
        disabled={cancel.pending}
        onClick={stop}
      >
        {cancel.pending ? t("hold.sending") : t("agent.stop_reply")}
      </Button>
      <Refusal error={asked === turn ? cancel.error : null} />
    </div>
  );
}

/** A reply that was stopped, and the robots that moved at that time. */
type Stopped = { turn: string; moving: readonly string[] };

function StillMoving({ robots }: { robots: readonly string[] }) {
  const safety = useLive((store) => store.safety);
  // Only an armed robot moves: one that was stopped since does not.
  const moving = robots.filter((robot) => (safety.get(robot)?.state ?? "armed") === "armed");
  if (moving.length === 0) return null;
  return (
    <p className={styles.hint} role="status" data-testid="still-moving">
      {t("agent.still_moving", { count: moving.length, robots: moving.join(", ") })}
    </p>
  );
}
