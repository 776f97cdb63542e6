// Time in which nobody at this desk could see the station: contact was lost, or the window was hidden.

/** A loss of contact that is worth a word afterwards, ms. */
const LOST_MS_MIN = 5_000;
/** A window that was out of sight for this long may have missed something, ms. */
const HIDDEN_MS_MIN = 60_000;

/** The numbers of the newest audit record and of the newest change of an alarm; null before either was read. */
export type Known = { record: number | null; alarm: number | null };

/** All that came after `from` and up to `to` came unseen; null until what there was at the return has been read. */
export type Gap = { from: Known; to: Known | null };

/**
 * Somebody came back at `back_ms` after having been away since `since_ms`, in one gap or in several. Times are Unix
 * milliseconds of this desk.
 */
export type Back = { at: "back"; since_ms: number; back_ms: number; lost: boolean; gaps: readonly Gap[] };

/** Somebody is here, or is away, or came back. `unread` is an earlier return that nobody has dismissed. */
export type Absence =
  | { at: "here" }
  | { at: "away"; since_ms: number; lost: boolean; known: Known; unread: Back | null }
  | Back;

export const HERE: Absence = { at: "here" };

/** Contact and sight at `now_ms`, and what this window had read by then. */
export type Seen = { lost: boolean; hidden: boolean; now_ms: number; known: Known };

/** The absence after `seen`. What was known when it began stays with it. */
export function follow(absence: Absence, { lost, hidden, now_ms, known }: Seen): Absence {
  if (absence.at !== "away") {
    const unread = absence.at === "back" ? absence : null;
    return lost || hidden ? { at: "away", since_ms: now_ms, lost, known, unread } : absence;
  }
  if (lost) return absence.lost ? absence : { ...absence, lost };
  if (hidden) return absence;
  const long_ms = absence.lost ? LOST_MS_MIN : HIDDEN_MS_MIN;
  if (now_ms - absence.since_ms < long_ms) return absence.unread ?? HERE;
  const { since_ms, unread } = absence;
  const gaps = [{ from: absence.known, to: null }];
  const back: Back = { at: "back", since_ms, back_ms: now_ms, lost: absence.lost, gaps };
  return unread === null ? back : joined(unread, back);
}

/** Two returns as one: what came in the first gap has not been read, and the time in both is what nobody saw. */
function joined(first: Back, second: Back): Back {
  const since_ms = second.since_ms - (first.back_ms - first.since_ms);
  // Of a return so short that nothing was read, nobody has seen anything either.
  const gaps = isOpen(first) ? first.gaps : [...first.gaps, ...second.gaps];
  return { ...second, since_ms, lost: first.lost || second.lost, gaps };
}

function isOpen({ gaps }: Back): boolean {
  return gaps.at(-1)?.to === null;
}

/** Once what came in the gap has been read, up to `known`: what comes afterwards is seen as it comes. */
export function closed(absence: Absence, known: Known): Absence {
  const back = unreadReturn(absence);
  if (back === null || !isOpen(back)) return absence;
  const shut: Back = { ...back, gaps: back.gaps.map((gap) => (gap.to === null ? { ...gap, to: known } : gap)) };
  return absence.at === "away" ? { ...absence, unread: shut } : shut;
}

/** The return that there is something to say about, also while somebody is away again. */
export function unreadReturn(absence: Absence): Back | null {
  switch (absence.at) {
    case "here":
      return null;
    case "away":
      return absence.unread;
    case "back":
      return absence;
  }
}

/** Once somebody has read what there was to say. An absence that has begun meanwhile goes on. */
export function dismissed(absence: Absence): Absence {
  return absence.at === "away" ? { ...absence, unread: null } : HERE;
}
