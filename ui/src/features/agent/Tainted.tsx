import { formatAge } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { SetAside } from "../../domain/proposal/SetAside";
import styles from "./AgentDock.module.css";
import type { Taint } from "./taint";

/** Words from outside are in the agent's view: what it does is asked more often (P-22). */
export function Tainted({ session, taint: { since_ms, by } }: { session: string; taint: Taint }) {
  const age = useLive(() => formatAge(Math.floor((Date.now() - since_ms) / 1_000) * 1_000).replace(/\.0 s$/, " s"));
  return (
    <div className={styles.tainted}>
      <span data-testid="agent-tainted">{t("agent.tainted", { age, by })}</span>
      <SetAside session={session} />
    </div>
  );
}
