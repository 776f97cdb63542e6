import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./AgentSwitch.module.css";
import { NewAgentForm } from "./NewAgentForm";

/** The agent this window shows: its name, and a choice where there are several (IS-02). An Admin makes new ones. */
export function AgentSwitch({ agent }: { agent: string | null }) {
  const { store } = useStation();
  const agents = useRows("agents", "list_agents", {});
  const admin = useLive((live) => live.session?.role === "admin");
  const [making, setMaking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  // The shown one is always among them, listed or not: else the field would name another.
  const ids = [...new Set([...(agents.data?.rows ?? []).map(({ id }) => id), ...(agent === null ? [] : [agent])])];
  const close = () => {
    setMaking(false);
    opener.current?.focus();
  };
  return (
    <>
      {ids.length > 1 ? (
        <select
          className={styles.select}
          data-testid="agent-switch"
          aria-label={t("agent.shown")}
          value={agent ?? ""}
          onChange={(event) => store.chooseAgent(event.target.value)}
        >
          {agent === null && <option value="" />}
          {ids.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      ) : (
        <h2 className={styles.title}>{agent ?? t("agent.title")}</h2>
      )}
      {admin && (
        <button
          ref={opener}
          type="button"
          className={styles.add}
          data-testid="agent-new"
          aria-label={t("agent.new")}
          aria-expanded={making}
          title={t("agent.new")}
          onClick={() => setMaking(!making)}
        >
          <Plus aria-hidden="true" className={styles.icon} />
        </button>
      )}
      {admin && making && (
        <NewAgentForm
          onClose={close}
          onMade={(id) => {
            store.chooseAgent(id);
            close();
          }}
        />
      )}
    </>
  );
}
