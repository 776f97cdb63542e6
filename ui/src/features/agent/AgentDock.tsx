import { useQuery } from "@tanstack/react-query";
import { aboutAgent, operation } from "../../host/operations";
import { Rows } from "../../shared/components/Rows";
import { useStation } from "../../shared/hooks/station-context";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";
import styles from "./AgentDock.module.css";
import { AgentSwitch } from "./AgentSwitch";
import { Composer } from "./Composer";
import { Transcript } from "./Transcript";

/** Entries kept in the window; older ones stay with the station (U-2309). */
const ENTRIES_MAX = 2_000;

/** The conversation with the agent this window shows. */
export function AgentDock() {
  const { host, store } = useStation();
  const session = useLive((live) => live.session);
  const agent = useLive((live) => live.agent);
  const transcript = useQuery({
    queryKey: ["transcript", "get_transcript", agent],
    enabled: agent !== null,
    queryFn: async ({ signal }) => {
      // A turn that ended before the question is in the answer; one that still runs may not be.
      const ended = store.turn?.ended === true ? store.turn.turn : null;
      const answer = await operation(host, "get_transcript", aboutAgent("get_transcript", { limit: ENTRIES_MAX }, agent), signal);
      if (ended !== null) store.dropTurn(ended);
      return answer;
    },
  });
  return (
    <section className={styles.dock} aria-label={t("agent.title")}>
      <header className={styles.header}>
        <AgentSwitch agent={agent} />
        {session && <span className={styles.mode}>{t(`agent_mode.${session.agent_mode}`)}</span>}
        <p className={styles.model}>{session ? t(`model.${session.model.kind}`, { name: session.model.name }) : ""}</p>
      </header>
      <Rows key={agent} query={transcript} what={t("agent.transcript")}>
        {({ entries, running }) => (
          <>
            <Transcript entries={entries} />
            <Composer running={running} empty={entries.length === 0} />
          </>
        )}
      </Rows>
    </section>
  );
}
