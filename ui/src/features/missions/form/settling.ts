// The time between an edit of a mission file and the file that comes back with it.

import { createContext, useState } from "react";
import type { GraphHistory, SavedFile } from "../graph/useGraphHistory";

/** The file that is shown, and how it stands to the last edit. */
export type Settling = {
  hash: string | null;
  /** It is not yet the file that the last edit made. */
  unsettled: boolean;
  /** The last edit was refused. */
  refused: boolean;
};

/** The standing of a form's file to its last edit; null outside of a form. */
export const SettlingContext = createContext<Settling | null>(null);

/** The entry of a list that a field is in, as text; empty outside of one. */
export const EntryContext = createContext("");

/** An entry as text. A file comes back with its keys sorted, which makes it no other entry. */
export function entryText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/**
 * Files come back late and one after the other, so one that an earlier edit made is not the last one's either. `seen` is
 * the last one that has come back: a file of before it is somebody's change back to that.
 */
export function settlingOf(
  hash: string | null,
  { saving, saved, error }: Pick<GraphHistory, "saving" | "saved" | "error">,
  seen: SavedFile | null,
): Settling {
  const isBehind = saved !== null && saved !== seen && hash !== null && saved.passed.includes(hash);
  return { hash, unsettled: saving || isBehind, refused: error !== null && !saving };
}

/** The standing of the file with this hash to the last edit, as long as it is on the screen. */
export function useSettling(hash: string | null, history: GraphHistory): Settling {
  const { saved } = history;
  // A form that is opened later waits for nothing that was sent before.
  const [seen, setSeen] = useState(saved);
  if (saved !== null && saved !== seen && saved.hash === hash) setSeen(saved);
  return settlingOf(hash, history, seen);
}

/** An edit that was sent over the file with the hash `over`; `begun` once its call was seen under way. */
export type Sent = { over: string | null; begun: boolean };

/**
 * True once the file has come back with an edit. The call begins a moment after the change, so that a file that is still
 * the same says nothing until then; afterwards it says that the edit was undone at once.
 */
export function isBack({ over, begun }: Sent, { hash, unsettled }: Settling): boolean {
  return !unsettled && (begun || hash !== over);
}

/** A value as it was last sent, while the file does not have it yet, so that the next change builds on it; else the file's. */
export function useSent<Value>(value: Value, { hash, unsettled, refused }: Settling) {
  const [sent, setSent] = useState<({ value: Value } & Sent) | null>(null);
  if (sent !== null) {
    if (refused || isBack(sent, { hash, unsettled, refused })) setSent(null);
    else if (unsettled && !sent.begun) setSent({ ...sent, begun: true });
  }
  const send = (next: Value) => setSent({ value: next, over: hash, begun: false });
  return { value: sent === null ? value : sent.value, send };
}
