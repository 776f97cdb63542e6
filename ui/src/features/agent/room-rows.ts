// What a room's rows are called.

import type { RoomDropRow } from "../../generated/bindings/RoomDropRow";
import type { RoomMessageRow } from "../../generated/bindings/RoomMessageRow";
import type { RoomRow } from "../../generated/bindings/RoomRow";
import { t } from "../../locales/i18n";

/** What the conversation of a room begins with. */
const SESSION_PREFIX = "room-";

/** Whether a conversation is one that an agent has in a room. */
export function isRoomSession(session: string): boolean {
  return session.startsWith(SESSION_PREFIX);
}

/** The room of such a conversation. */
export function roomNameOf(session: string): string {
  return session.slice(SESSION_PREFIX.length);
}

/** Who spoke, and where; only words of this station are anybody's here. */
export function speakerOf({ station, sender, by_agent }: RoomMessageRow): string {
  if (station === null) return by_agent ? t("rooms.own_agent", { sender }) : t("rooms.own", { sender });
  return by_agent ? t("rooms.agent_from", { sender, station }) : t("rooms.from", { sender, station });
}

/** Whether the agent answers in it, and to what. */
export function answersIn({ answers, mention, name }: RoomRow): string {
  if (!answers || name === null) return t("rooms.silent");
  return mention ? t("rooms.answers_named", { name }) : t("rooms.answers", { name });
}

/** What was not let in, in words; null if everything was. */
export function droppedIn(dropped: readonly RoomDropRow[]): string | null {
  const parts = dropped
    .filter(({ count }) => count > 0)
    .map(({ why, count }) => t("rooms.dropped_one", { why: t(`room_drop.${why}`), count }));
  return parts.length === 0 ? null : t("rooms.dropped", { what: parts.join(", ") });
}
