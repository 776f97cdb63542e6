import type { RoomMessageRow } from "../../generated/bindings/RoomMessageRow";
import { speakerOf } from "./room-rows";
import { RowHead } from "./RowHead";
import styles from "./TranscriptRow.module.css";

/**
 * One message of a room. Words of another station are quoted and never rendered: nobody here vouches for them (U-903).
 */
export function RoomMessage({ message }: { message: RoomMessageRow }) {
  const own = message.station === null;
  return (
    <div
      className={own && !message.by_agent ? styles.operator : styles.agent}
      data-testid={`room-message-${message.n}`}
    >
      <RowHead who={speakerOf(message)} at_ms={message.at_ms} />
      {own ? <p className={styles.text}>{message.text}</p> : <pre className={styles.quoted}>{message.text}</pre>}
    </div>
  );
}
