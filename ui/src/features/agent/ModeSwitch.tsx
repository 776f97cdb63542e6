import { Refusal } from "../../shared/components/Refusal";
import { useCommandRefusal } from "../../shared/hooks/useCommandRefusal";
import { useOperation } from "../../shared/hooks/useOperation";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import styles from "./AgentDock.module.css";
import { isKnownMode, modeText, WITHIN } from "../../shared/agent/mode-words";

const MODES = ["watch", "ask", "assist"] as const;

/** How much the agent may do without being asked. A person sets it; it is drawn as the station says it is (P-14, U-104). */
export function ModeSwitch({ mode }: { mode: string }) {
  const set = useOperation("set_mode");
  const refusal = useCommandRefusal();
  const missions = useRows("missions", "list_missions", {});
  const within = (missions.data?.rows ?? []).filter(({ status }) => status === "active").map(({ id }) => `${WITHIN}${id}`);
  const modes = [...MODES, ...within];
  return (
    <>
      <select
        className={styles.mode}
        data-testid="agent-mode"
        aria-label={t("agent.mode")}
        title={refusal ?? t(isKnownMode(mode) ? `agent_mode_means.${mode}` : "agent_mode_means.within")}
        disabled={refusal !== null || set.pending}
        value={mode}
        onChange={(event) => set.run({ mode: event.target.value })}
      >
        {(modes.includes(mode) ? modes : [...modes, mode]).map((value) => (
          <option key={value} value={value}>
            {modeText(value)}
          </option>
        ))}
      </select>
      {set.error !== null && (
        <div className={styles.refusal}>
          <Refusal error={set.error} />
        </div>
      )}
    </>
  );
}
