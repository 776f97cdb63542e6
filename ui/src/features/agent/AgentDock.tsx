import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { aboutAgent, operation } from "../../host/operations";
import { Rows } from "../../design/components/Rows";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { formatWholeAge } from "../../design/format/time";
import { SetAside } from "../../domain/proposal/SetAside";
import { type Aside, useSetAside } from "../../domain/proposal/useSetAside";
import styles from "./AgentDock.module.css";
import { AgentHeader } from "./AgentHeader";
import { Composer } from "./Composer";
import { Conversations } from "./Conversations";
import { Elsewhere } from "./Elsewhere";
import { PausedCard } from "./PausedCard";
import { isRoomSession } from "./room-rows";
import { RoomTalk } from "./RoomTalk";
import { sentWords } from "./sent-words";
import { type Taint, taintOf } from "./taint";
import { Transcript } from "./Transcript";
import { toRows } from "./transcript-rows";
import { TurnDrawer } from "./TurnDrawer";

/** Entries kept in the window; older ones stay with the station (U-2309). */
const ENTRIES_MAX = 2_000;

/** The conversation with the agent this window shows. */
export function AgentDock() {
  const agent = useLive((live) => live.agent);
  const conversation = useLive((live) => live.conversation);
  const [listed, setListed] = useState(false);
  // Only a conversation that is called like one can be a room: most windows never ask.
  const rooms = useRows("transcript", "list_rooms", {}, conversation !== null && isRoomSession(conversation));
  const room = rooms.data?.rows.find(({ session, agent: of }) => session === conversation && of === agent);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setListed(false);
    opener.current?.focus();
  };
  return (
    <section className={styles.dock} aria-label={t("agent.title")}>
      <AgentHeader agent={agent} listed={listed} opener={opener} onList={() => setListed(!listed)} />
      {/* Keyed: a conversation that is being made for one agent is not opened for the next. */}
      {listed && <Conversations key={agent} onClose={close} />}
      {room === undefined ? (
        <Talk key={`${agent} ${conversation}`} agent={agent} conversation={conversation} />
      ) : (
        <RoomTalk key={`${agent} ${room.room}`} room={room} />
      )}
    </section>
  );
}

function Talk({ agent, conversation }: { agent: string | null; conversation: string | null }) {
  const { host, store } = useStation();
  const [saw, setSaw] = useState<string | null>(null);
  const aside = useSetAside();
  const actor = useLive((live) => live.session?.actor);
  const transcript = useQuery({
    queryKey: ["transcript", "get_transcript", agent, conversation],
    enabled: agent !== null,
    queryFn: async ({ signal }) => {
      // A turn that ended before the question is in the answer; one that still runs may not be.
      const covered = store.turn?.ended === true ? store.turn.turn : null;
      const wanted = { limit: ENTRIES_MAX, ...(conversation === null ? {} : { session: conversation }) };
      const answer = await operation(host, "get_transcript", aboutAgent("get_transcript", wanted, agent), signal);
      return { ...answer, covered };
    },
  });
  return (
    <Rows query={transcript} what={t("agent.transcript")}>
      {({ session, entries, running, covered }) => (
        <>
          <Readings session={session} taint={taintOf(entries)} aside={aside} />
          <Transcript session={session} entries={entries} covered={covered} onSaw={setSaw} />
          {saw !== null && <TurnDrawer turn={saw} onClose={() => setSaw(null)} />}
          <Elsewhere />
          <PausedCard session={session} />
          <Composer running={running} sent={sentWords(toRows(entries), actor)} empty={entries.length === 0} />
        </>
      )}
    </Rows>
  );
}

/** Words from outside that the agent has read, and those that were set aside last. */
function Readings({ session, taint, aside }: { session: string; taint: Taint | null; aside: Aside }) {
  return (
    <>
      {taint !== null && <Tainted session={session} taint={taint} aside={aside} />}
      <p className={styles.aside} role="status">
        {aside.told}
      </p>
    </>
  );
}

type TaintedProps = { session: string; taint: Taint; aside: Aside };

/** Words from outside are in the agent's view: what it does is asked more often (P-22). */
function Tainted({ session, taint: { since_ms, by }, aside }: TaintedProps) {
  const age = useLive(() => formatWholeAge(Date.now() - since_ms));
  return (
    <div className={styles.tainted}>
      <span data-testid="agent-tainted">{t("agent.tainted", { age, by })}</span>
      <SetAside session={session} aside={aside} />
    </div>
  );
}
