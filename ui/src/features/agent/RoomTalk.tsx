import { useState } from "react";
import type { RoomRow } from "../../bindings/RoomRow";
import { Button } from "../../shared/components/Button";
import { Rows } from "../../shared/components/Rows";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import { RoomComposer } from "./RoomComposer";
import { RoomHead } from "./RoomHead";
import { RoomMessage } from "./RoomMessage";
import styles from "./Transcript.module.css";
import { useFollow } from "./useFollow";

/** Messages asked for at first, and as many more with each further asking. */
const PAGE = 100;
/** The most the station gives at once. */
const MESSAGES_MAX = 500;

/** A room in which operators of several stations speak: what was said, and saying something (C-06). */
export function RoomTalk({ room }: { room: RoomRow }) {
  const [limit, setLimit] = useState(PAGE);
  const page = useRows("transcript", "read_room", { room: room.room, limit });
  const { frame, content } = useFollow();
  return (
    <>
      <RoomHead room={room} />
      <Rows query={page} what={t("rooms.messages")}>
        {({ rows: { messages } }) => (
          <div className={styles.frame}>
            <div ref={frame} className={styles.log} role="log" aria-label={t("rooms.messages")} tabIndex={0}>
              <div ref={content} className={styles.rows}>
                {messages.length >= limit && limit < MESSAGES_MAX && <Button onClick={() => setLimit(Math.min(limit + PAGE, MESSAGES_MAX))}>{t("rooms.older")}</Button>}
                {messages.length === 0 && <p>{t("rooms.empty")}</p>}
                {messages.map((message) => (
                  <RoomMessage key={message.n} message={message} />
                ))}
              </div>
            </div>
          </div>
        )}
      </Rows>
      <RoomComposer room={room.room} problem={room.problem} />
    </>
  );
}
