// Texts for the rows of a room.

import type { RoomDropRow } from "../../generated/bindings/RoomDropRow";
import type { RoomMessageRow } from "../../generated/bindings/RoomMessageRow";
import type { RoomRow } from "../../generated/bindings/RoomRow";
import { errorSaid, t } from "../../locales/i18n";
import { saidLine } from "../../locales/station-words";

/** Prefix of the id of a room's conversation. */
const SESSION_PREFIX = "room-";

/** True if a conversation is one that an agent has in a room. */
export function isRoomSession(session: string): boolean {
  return session.startsWith(SESSION_PREFIX);
}

/** The room of such a conversation. */
export function roomNameOf(session: string): string {
  return session.slice(SESSION_PREFIX.length);
}

/** Sender of a message: a person or an agent, of this station or of the named other one. */
export function speakerOf({ station, sender, by_agent }: RoomMessageRow): string {
  if (station === null) return by_agent ? t("rooms.own_agent", { sender }) : t("rooms.own", { sender });
  return by_agent ? t("rooms.agent_from", { sender, station }) : t("rooms.from", { sender, station });
}

/** The reason why nobody can speak in a room; null if people can. */
export function roomProblem({ problem, problem_code }: Pick<RoomRow, "problem" | "problem_code">): string | null {
  return problem === null || problem_code === undefined ? problem : saidLine(errorSaid(problem_code, problem));
}

/** Answers of the agent in a room: to every message, to those that name it, or to none. */
export function answersIn({ answers, mention, name }: RoomRow): string {
  if (!answers || name === null) return t("rooms.silent");
  return mention ? t("rooms.answers_named", { name }) : t("rooms.answers", { name });
}

/** Rejected messages by reason, human-readable; null if there are none. */
export function droppedIn(dropped: readonly RoomDropRow[]): string | null {
  const parts = dropped
    .filter(({ count }) => count > 0)
    .map(({ why, count }) => t("rooms.dropped_one", { why: t(`room_drop.${why}`), count }));
  return parts.length === 0 ? null : t("rooms.dropped", { what: parts.join(", ") });
}
