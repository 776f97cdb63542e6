// Changes of mission files and places, so that they can be undone. Nothing that lets a mission run or stops it is ever among
// them (ME-06).

/** A text of a mission file with its hash. */
export type FileText = { hash: string; source: string };

/** Corners of missions, whole pixels; null where nobody had placed one. */
export type Places = Readonly<Record<string, readonly [number, number] | null>>;

/** A change that can be undone. */
export type Change =
  | { kind: "text"; id: string; before: FileText; after: FileText }
  | { kind: "places"; before: Places; after: Places };

/** Changes that were made, and those that were undone, the newest last. */
export type History = { done: readonly Change[]; undone: readonly Change[] };

export const NO_HISTORY: History = { done: [], undone: [] };

/** Changes that are kept. */
const CHANGES_MAX = 1_000;

/** A change that was made now: what was undone before it cannot be done again. */
export function withChange({ done }: History, change: Change): History {
  return { done: [...done, change].slice(-CHANGES_MAX), undone: [] };
}

/** The newest change was undone. */
export function afterUndo({ done, undone }: History): History {
  const last = done.at(-1);
  return last === undefined ? { done, undone } : { done: done.slice(0, -1), undone: [...undone, last] };
}

/** The change that was undone last was made again. */
export function afterRedo({ done, undone }: History): History {
  const last = undone.at(-1);
  return last === undefined ? { done, undone } : { done: [...done, last], undone: undone.slice(0, -1) };
}

/** Drops a change that can no longer be undone or done again: it stands in the way of nothing older. */
export function withoutChange({ done, undone }: History, lost: Change): History {
  return { done: done.filter((change) => change !== lost), undone: undone.filter((change) => change !== lost) };
}
