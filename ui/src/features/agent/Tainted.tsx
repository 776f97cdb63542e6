import { formatAge } from "../../shared/format/time";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";
import styles from "./AgentDock.module.css";
import type { Taint } from "./taint";

/** Words from outside are in the agent's view: what it does is asked more often (P-22). */
export function Tainted({ taint: { since_ms, by } }: { taint: Taint }) {
  const age = useLive(() => formatAge(Math.floor((Date.now() - since_ms) / 1_000) * 1_000).replace(/\.0 s$/, " s"));
  return (
    <p className={styles.tainted} data-testid="agent-tainted">
      {t("agent.tainted", { age, by })}
    </p>
  );
}
