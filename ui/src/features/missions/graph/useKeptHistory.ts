// Changes of this window to the missions of an agent. They outlive the screen, so that a look elsewhere leaves them to undo.

import { useState, useSyncExternalStore } from "react";
import { useStation } from "../../../domain/station/station-context";
import type { Host } from "../../../host/host";
import { type Change, type FileText, type History, NO_HISTORY, withChange } from "./history";

/** `made` are hashes of the files that changes were made of, by those that they made. */
type Kept = { history: History; made: ReadonlyMap<string, string> };

const NOTHING: Kept = { history: NO_HISTORY, made: new Map() };
/** Files that changes made, as far as a screen may be behind them. */
const MADE_MAX = 100;

const KEPT = new WeakMap<Host, Map<string | null, Kept>>();
const listeners = new Set<() => void>();

/** The history of an agent, which outlives whatever asked for it. */
export type KeptHistory = {
  agent: string | null;
  history: History;
  change: (next: (before: History) => History) => void;
  /** Adds a change that was made now. */
  record: (change: Change) => void;
  /** As it is now, which may be newer than what was drawn. */
  made: () => ReadonlyMap<string, string>;
  /** Says that this window made a file of another one. */
  note: (from: FileText | null, to: FileText | null) => void;
};

/** The history of the agent that the screen began with. */
export function useKeptHistory(): KeptHistory {
  const { host, store } = useStation();
  // An answer may come when the window shows another agent: it belongs to this one.
  const [agent] = useState(store.agent);
  const read = () => KEPT.get(host)?.get(agent) ?? NOTHING;
  const kept = useSyncExternalStore(listen, read);
  const write = (next: Kept) => {
    KEPT.set(host, new Map([...(KEPT.get(host) ?? []), [agent, next]]));
    for (const listener of listeners) listener();
  };
  const change = (next: (before: History) => History) => write({ ...read(), history: next(read().history) });
  const note = (from: FileText | null, to: FileText | null) => {
    if (from === null || to === null) return;
    write({ ...read(), made: new Map([...read().made, [to.hash, from.hash] as const].slice(-MADE_MAX)) });
  };
  return {
    agent,
    history: kept.history,
    change,
    record: (made) => {
      if (made.kind === "text") note(made.before, made.after);
      change((before) => withChange(before, made));
    },
    made: () => read().made,
    note,
  };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
