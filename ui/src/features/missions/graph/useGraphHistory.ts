// Changes of mission files and places from the graph, each of which can be undone.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Host, HostError, toHostError } from "../../../host/host";
import { aboutAgent, type Input, operation } from "../../../host/operations";
import { useStation } from "../../../domain/station/station-context";
import { t } from "../../../locales/i18n";
import { afterRedo, afterUndo, type Change, type FileText, type Places, withChange, withoutChange } from "./history";
import { useKeptHistory } from "./useKeptHistory";

/** An edit of a mission file that touches no other byte. */
export type MissionEdit = NonNullable<Input<"save_mission">["edits"]>[number];

/** The new text of a mission file, or edits of the one that is there. */
type FileChange = { edits: MissionEdit[] } | { source: string };

/**
 * `of` is the hash of the file on the screen; null where the change counts no places in it. `agent` is that of the screen:
 * another may be shown by the time an edit has waited for the one before.
 */
type Asked = { id: string; change: FileChange; of: string | null; agent: string | null };

/** Refusals after which a change can be undone no more: its file is another one, or gone. */
const LOST: ReadonlySet<HostError["code"]> = new Set(["file_changed", "mission_not_found"]);

/** `error` is the refusal of the last change. */
export type GraphHistory = {
  /**
   * Changes the file of a mission by edits that touch nothing else of it. Those that count entries are made of the file
   * with the hash `of` only, or of one that this window has made of that.
   */
  edit: (id: string, edits: MissionEdit[], of?: string | null) => void;
  /** Gives the file of a mission another text. */
  restore: (id: string, source: string) => void;
  /** Says that missions were moved. */
  moved: (before: Places, after: Places) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  pending: boolean;
  /** An edit is on its way. */
  saving: boolean;
  /** Hash of the file that the last edit made; null before the first. */
  saved: string | null;
  /** Hashes of the files that edits were made of. */
  passed: readonly string[];
  error: HostError | null;
  forget: () => void;
};

/** Changes one after the other; `put` shows and keeps places. */
export function useGraphHistory(put: (places: Places) => void): GraphHistory {
  const { host } = useStation();
  const { agent, history, change: setHistory, made, note } = useKeptHistory();
  const [error, setError] = useState<HostError | null>(null);

  const write = async (id: string, from: FileText, to: FileText) => {
    const input = { mission_id: id, base_hash: from.hash, source: to.source };
    await operation(host, "save_mission", aboutAgent("save_mission", input, agent));
    note(from, to);
  };
  const apply = async (change: Change, back: boolean) => {
    if (change.kind === "places") return put(back ? change.before : change.after);
    return back ? write(change.id, change.after, change.before) : write(change.id, change.before, change.after);
  };
  const edit = useMutation({
    // Edits run one at a time: each builds on the file that the previous one left.
    scope: { id: "mission-files" },
    mutationFn: async (asked: Asked): Promise<Change> => {
      const { before, after } = await edited(host, made(), asked);
      note(before, after);
      return { kind: "text", id: asked.id, before, after };
    },
    onSuccess: (change) => setHistory((before) => withChange(before, change)),
    // The call itself forgets the refusal of an edit as soon as another one follows it.
    onError: (thrown) => setError((before) => before ?? toHostError(thrown)),
  });
  const onError = (thrown: unknown, change: Change) => {
    const refusal = toHostError(thrown);
    setError(refusal);
    if (LOST.has(refusal.code)) setHistory((before) => withoutChange(before, change));
  };
  const undo = useMutation({
    mutationFn: (change: Change) => apply(change, true),
    onSuccess: () => setHistory(afterUndo),
    onError,
  });
  const redo = useMutation({
    mutationFn: (change: Change) => apply(change, false),
    onSuccess: () => setHistory(afterRedo),
    onError,
  });
  const calls = [edit, undo, redo];
  const pending = calls.some((call) => call.isPending);
  const forget = () => setError(null);
  const last = history.done.at(-1);
  const next = history.undone.at(-1);
  const begin = (act: () => void) => {
    if (pending) return;
    forget();
    act();
  };
  // Edits follow one another; none is dropped because another one is still on its way.
  const change = (asked: Asked) => {
    if (!edit.isPending) forget();
    edit.mutate(asked);
  };
  return {
    edit: (id, edits, of = null) => change({ id, change: { edits }, of, agent }),
    restore: (id, source) => change({ id, change: { source }, of: null, agent }),
    moved: (before, after) => setHistory((old) => withChange(old, { kind: "places", before, after })),
    undo: () => begin(() => last && undo.mutate(last)),
    redo: () => begin(() => next && redo.mutate(next)),
    canUndo: last !== undefined,
    canRedo: next !== undefined,
    pending,
    saving: edit.isPending,
    saved: edit.data?.kind === "text" ? edit.data.after.hash : null,
    passed: history.done.flatMap((done) => (done.kind === "text" ? [done.before.hash] : [])),
    error,
    forget,
  };
}

/** Changes the file as it stands now; `made` are the hashes that edits of this window were made of. */
async function edited(host: Host, made: ReadonlyMap<string, string>, asked: Asked) {
  const { id, change, of, agent } = asked;
  const { source, hash } = await operation(host, "get_mission", aboutAgent("get_mission", { mission_id: id }, agent));
  if (source === null || hash === null) throw new HostError("mission_unreadable", t("missions.no_text"));
  // The third entry of a file that nobody here has seen may be anything.
  if (of !== null && !descends(made, hash, of)) throw new HostError("file_changed", t("mission_form.file_changed"));
  const input = { mission_id: id, base_hash: hash, ...change };
  const after = await operation(host, "save_mission", aboutAgent("save_mission", input, agent));
  return { before: { hash, source }, after: { hash: after.hash, source: after.source } };
}

/** True if edits of this window led from the file `of` to the one with `hash`. */
function descends(made: ReadonlyMap<string, string>, hash: string, of: string): boolean {
  let at: string | undefined = hash;
  // An edit that is taken back by another one makes a circle.
  for (let steps = 0; at !== undefined && steps <= made.size; steps += 1) {
    if (at === of) return true;
    at = made.get(at);
  }
  return false;
}
