// Locks of missions on parts of robots, as the graph tells them.

import type { LockRow } from "../../../generated/bindings/LockRow";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { reasonSaid } from "../mission-reason";
import { t } from "../../../locales/i18n";

/** A lock that a mission has or waits for: in a few words, and as a sentence. */
export type NodeLock = { is: "held" | "waited_for"; words: string; sentence: string };

/** The lock of a mission; one that it waits for comes first, because that is why it does nothing. */
export function lockOf({ id, reason }: MissionNode, locks: readonly LockRow[], agent: string | null): NodeLock | null {
  if (reason?.code === "lock") {
    return { is: "waited_for", words: t("mission_node.waits_for_lock"), sentence: reasonSaid(reason, []).text };
  }
  const held = locks.filter(({ owner }) => {
    const by = owner && "mission" in owner ? owner.mission : null;
    return by?.id === id && by.agent === agent;
  });
  if (held.length === 0) return null;
  const words = t("mission_node.holds_lock", { parts: held.map(({ resource }) => resource).join(", ") });
  return { is: "held", words, sentence: words };
}
