import type { AgentMode } from "../../generated/bindings/AgentMode";
import { modeKind, modeText, runMode } from "../../domain/agent/mode";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./AgentDock.module.css";

const MODES: readonly AgentMode[] = ["watch", "ask", "assist"];
/** A mission that has ended has no standing approvals any more. */
const UNDER_WAY: ReadonlySet<string> = new Set(["active", "paused"]);

/** The agent's mode, the extent of its autonomy. A person sets it; the station's own is drawn (P-14, U-104). */
export function ModeSwitch({ mode }: { mode: AgentMode }) {
  const set = useOperation("set_mode");
  const refusal = useCommandRefusal();
  const missions = useRows("missions", "list_missions", {});
  const runs = (missions.data?.rows ?? []).filter(({ status }) => UNDER_WAY.has(status)).map(({ id }) => runMode(id));
  // The current mode is always among them, whatever became of its mission.
  const modes = [...new Set([...MODES, ...runs, mode])];
  return (
    <>
      <select
        className={styles.mode}
        data-testid="agent-mode"
        aria-label={t("agent.mode")}
        title={refusal ?? t(`agent_mode_means.${modeKind(mode)}`)}
        disabled={refusal !== null}
        // Not `disabled` while it is sent: the browser would take the focus, and a second choice is not sent anyway.
        aria-disabled={set.pending}
        value={mode}
        onChange={(event) => {
          const chosen = modes.find((value) => value === event.target.value);
          if (chosen) set.run({ mode: chosen });
        }}
      >
        {modes.map((value) => (
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
