// Changes of mission files and places, so that they can be undone. Nothing that lets a mission run or stops it is ever among
// them (ME-06).

/** A text of a mission file with its hash. */
export type FileText = { hash: string; source: string };

/** Corners of missions, whole pixels; null where nobody had placed one. */
export type Places = Readonly<Record<string, readonly [number, number] | null>>;

/** The value that a person was typing, and the moment of it, ms. */
export type Typing = { of: string; at_ms: number };

/** A change of a file, with null for a file that was not there: one was made, or removed. */
export type TextChange = {
  kind: "text";
  id: string;
  before: FileText | null;
  after: FileText | null;
  typing?: Typing | undefined;
};

/** A change that can be undone. */
export type Change = TextChange | { kind: "places"; before: Places; after: Places };

/** Changes that were made, and those that were undone, the newest last. */
export type History = { done: readonly Change[]; undone: readonly Change[] };

export const NO_HISTORY: History = { done: [], undone: [] };

/** Changes that are kept. */
const CHANGES_MAX = 1_000;

/** Values of one field that follow one another faster than this are one change. */
const PAUSE_MS = 500;

/** A change that was made now: what was undone before it cannot be done again. */
export function withChange({ done, undone }: History, change: Change): History {
  const last = done.at(-1);
  // After an undo the field says something new, however soon.
  const joined = last === undefined || undone.length > 0 ? null : joinedTo(last, change);
  if (joined !== null) return { done: [...done.slice(0, -1), joined], undone };
  return { done: [...done, change].slice(-CHANGES_MAX), undone: [] };
}

/** Both as one change if the second is more of the same typing; else null. */
function joinedTo(last: Change, change: Change): TextChange | null {
  if (last.kind === "places" || change.kind === "places" || last.id !== change.id) return null;
  // Somebody else may have changed the file in between.
  if (last.after === null || last.after.hash !== change.before?.hash) return null;
  const [one, other] = [last.typing, change.typing];
  const isSame = one !== undefined && one.of === other?.of && other.at_ms - one.at_ms < PAUSE_MS;
  return isSame ? { ...change, before: last.before } : null;
}

/** A change was undone; others may have been made while that was on its way. */
export function afterUndo({ done, undone }: History, change: Change): History {
  return { done: done.filter((one) => one !== change), undone: [...undone, change] };
}

/** A change that was undone was made again. */
export function afterRedo({ done, undone }: History, change: Change): History {
  return { done: [...done, change], undone: undone.filter((one) => one !== change) };
}

/** Drops a change that can no longer be undone or done again: it stands in the way of nothing older. */
export function withoutChange({ done, undone }: History, lost: Change): History {
  return { done: done.filter((change) => change !== lost), undone: undone.filter((change) => change !== lost) };
}
