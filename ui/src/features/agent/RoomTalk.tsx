import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RoomRow } from "../../generated/bindings/RoomRow";
import { Button } from "../../design/components/Button";
import { Quote } from "../../design/components/Quote";
import { Rows } from "../../design/components/Rows";
import { useStation } from "../../domain/station/station-context";
import { useRows } from "../../domain/station/useRows";
import { useLive } from "../../domain/station/useLive";
import { operation } from "../../host/operations";
import { t } from "../../locales/i18n";
import type { RoomMessageRow } from "../../generated/bindings/RoomMessageRow";
import { LiveRow } from "./LiveRow";
import { RoomComposer } from "./RoomComposer";
import { RoomHead } from "./RoomHead";
import styles from "./Transcript.module.css";
import { useFollow } from "./useFollow";
import { useRunningTurn } from "./useRunningTurn";
import { roomProblem, speakerOf } from "./room-rows";
import { RowHead } from "./RowHead";
import row from "./TranscriptRow.module.css";

/** Messages asked for at first, and as many more with each further asking. */
const PAGE = 100;
/** The most the station gives at once. */
const MESSAGES_MAX = 500;

/**
 * A room in which operators of several stations speak: what was said, the reply that runs, and saying something (C-06).
 */
export function RoomTalk({ room }: { room: RoomRow }) {
  const [limit, setLimit] = useState(PAGE);
  const page = useMessages(room.room, limit);
  const own = page.data?.messages.findLast(({ station, by_agent }) => station === null && !by_agent);
  const { frame, content } = useFollow(own?.n ?? null, page.data?.messages[0]?.n ?? null);
  const sessions = useRows("transcript", "list_sessions", {});
  const running = useRunningTurn(sessions.data?.rows.find(({ session }) => session === room.session)?.running ?? null);
  const live = useLive((store) => store.turn);
  return (
    <>
      <RoomHead room={room} />
      <Rows query={page} what={t("rooms.messages")}>
        {({ messages }) => (
          <div className={styles.frame}>
            <div ref={frame} className={styles.log} role="log" aria-label={t("rooms.messages")} tabIndex={0}>
              <div ref={content} className={styles.rows}>
                {messages.length >= limit && limit < MESSAGES_MAX && (
                  <Button onClick={() => setLimit(Math.min(limit + PAGE, MESSAGES_MAX))}>{t("rooms.older")}</Button>
                )}
                {messages.length === 0 && <p>{t("rooms.empty")}</p>}
                {messages.map((message) => (
                  <RoomMessage key={message.n} message={message} />
                ))}
                {/* A reply that has ended is one of the messages. */}
                {live !== null && !live.ended && <LiveRow turn={live} stored={[]} />}
              </div>
            </div>
          </div>
        )}
      </Rows>
      <RoomComposer room={room.room} session={room.session} problem={roomProblem(room)} running={running} />
    </>
  );
}

/** The newest messages of a room. Those that are shown stay while older ones are on their way to them. */
function useMessages(room: string, limit: number) {
  const { host } = useStation();
  return useQuery({
    queryKey: ["transcript", "read_room", room, limit],
    queryFn: ({ signal }) => operation(host, "read_room", { room, limit }, signal),
    placeholderData: (before) => before,
  });
}

/** One message of a room. Words of another station are untrusted: quoted and never rendered (U-903). */
function RoomMessage({ message }: { message: RoomMessageRow }) {
  const own = message.station === null;
  return (
    <div className={own && !message.by_agent ? row.operator : row.agent} data-testid={`room-message-${message.n}`}>
      <RowHead who={speakerOf(message)} at_ms={message.at_ms} />
      {own ? <p className={row.text}>{message.text}</p> : <Quote source={t("agent.quoted_room")} text={message.text} />}
    </div>
  );
}
