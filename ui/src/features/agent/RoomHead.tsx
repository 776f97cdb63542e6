import type { RoomRow } from "../../generated/bindings/RoomRow";
import { t } from "../../locales/i18n";
import { answersIn, droppedIn, roomProblem } from "./room-rows";
import styles from "./RoomHead.module.css";
import { RoomMembers } from "./RoomMembers";

/** Name of a room, its listeners and members, and the messages it rejected. */
export function RoomHead({ room }: { room: RoomRow }) {
  const dropped = droppedIn(room.dropped);
  return (
    <section className={styles.head} aria-label={t("rooms.title", { room: room.room })} data-testid="room-head">
      <h3>
        {t("rooms.title", { room: room.room })} <code>{room.key_expr}</code>
      </h3>
      {room.problem !== null && (
        <p role="status">
          <strong>{roomProblem(room)}</strong>
        </p>
      )}
      <p>{t("rooms.of")}</p>
      <p>
        {t(room.listened_to ? "rooms.listened" : "rooms.alone")} · {answersIn(room)}
      </p>
      {dropped !== null && <p>{dropped}</p>}
      <RoomMembers room={room} />
    </section>
  );
}
