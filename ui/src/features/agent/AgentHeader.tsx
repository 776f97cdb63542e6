import { MessagesSquare } from "lucide-react";
import type { RefObject } from "react";
import { offlineText } from "../../domain/agent/model-failure";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { formatUsd } from "../../design/format/money";
import { t } from "../../locales/i18n";
import styles from "./AgentDock.module.css";
import switches from "./AgentSwitch.module.css";
import { AgentSwitch } from "./AgentSwitch";
import { ModelReading } from "./ModelReading";
import { ModeSwitch } from "./ModeSwitch";

/** No call begins so late: asked with it, the ledger gives its sums without its rows. */
const NO_CALLS = Number.MAX_SAFE_INTEGER;

type AgentHeaderProps = {
  agent: string | null;
  listed: boolean;
  /** The button that opens the list of conversations. */
  opener: RefObject<HTMLButtonElement | null>;
  onList: () => void;
};

/** Name of the agent, its mode, its model, its cost of the day, and its trouble (V-05, U-906). */
export function AgentHeader({ agent, listed, opener, onList }: AgentHeaderProps) {
  const session = useLive((live) => live.session);
  const agents = useRows("agents", "list_agents", {});
  const row = agents.data?.rows.find(({ id }) => id === agent);
  const model = row?.model ?? session?.model;
  const offline = row === undefined ? null : offlineText(row);
  return (
    <header className={styles.header}>
      <AgentSwitch agent={agent} />
      {session && <ModeSwitch key={agent} mode={row?.mode ?? session.agent_mode} />}
      <button
        ref={opener}
        type="button"
        className={switches.add}
        data-testid="conversations"
        aria-label={t("conversations.open")}
        title={t("conversations.open")}
        aria-expanded={listed}
        onClick={onList}
      >
        <MessagesSquare aria-hidden="true" className={switches.icon} />
      </button>
      <p className={styles.model} data-testid="agent-model">
        {model && t(`model.${model.kind}`, { name: model.name })}
        <Spent />
      </p>
      {row && <ModelReading row={row} />}
      {offline !== null && (
        <p className={styles.trouble} role="status" data-testid="agent-offline">
          {t("agent.offline")} <span className={styles.why}>{offline}</span>
        </p>
      )}
    </header>
  );
}

/** Cost of the day so far, and its limit. Calls without a known price are named, not counted as nothing (K-01). */
function Spent() {
  const calls = useRows("model_calls", "list_model_calls", { since: NO_CALLS });
  const day = calls.data?.rows.day;
  if (day === undefined) return null;
  const usd = formatUsd(day.spent_microusd);
  const spent =
    day.limit_microusd === null
      ? t("agent.spent", { usd })
      : t("agent.spent_of", { usd, limit: formatUsd(day.limit_microusd) });
  return (
    <span data-testid="spent">
      {spent}
      {day.unknown_calls > 0 && ` ${t("agent.unknown_calls", { count: day.unknown_calls })}`}
    </span>
  );
}
