// Time in which nobody at this desk could see the station: contact was lost, or the window was hidden.

/** A loss of contact that is worth a word afterwards, ms. */
const LOST_MS_MIN = 5_000;
/** A window that was out of sight for this long may have missed something, ms. */
const HIDDEN_MS_MIN = 60_000;

/** The numbers of the newest audit record and of the newest change of an alarm; null before either was read. */
export type Known = { record: number | null; alarm: number | null };

/** Somebody is here, or is away since `since_ms`, or came back at `back_ms`. Times are Unix milliseconds of this desk. */
export type Absence =
  | { at: "here" }
  | { at: "away"; since_ms: number; lost: boolean; known: Known }
  | { at: "back"; since_ms: number; back_ms: number; lost: boolean; known: Known };

export const HERE: Absence = { at: "here" };

/** Contact and sight at `now_ms`, and what this window had read by then. */
export type Seen = { lost: boolean; hidden: boolean; now_ms: number; known: Known };

/** The absence after `seen`. What was known when it began stays with it. */
export function follow(absence: Absence, { lost, hidden, now_ms, known }: Seen): Absence {
  if (absence.at !== "away") return lost || hidden ? { at: "away", since_ms: now_ms, lost, known } : absence;
  if (lost) return absence.lost ? absence : { ...absence, lost };
  if (hidden) return absence;
  const long_ms = absence.lost ? LOST_MS_MIN : HIDDEN_MS_MIN;
  return now_ms - absence.since_ms < long_ms ? HERE : { ...absence, at: "back", back_ms: now_ms };
}
