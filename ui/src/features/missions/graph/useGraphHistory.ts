// Changes of mission files and places from the graph, each of which can be undone.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type HostError, toHostError } from "../../../host/host";
import { useStation } from "../../../domain/station/station-context";
import { type Asked, edited, type MissionEdit, presentIn, put, valueOf } from "./file-writes";
import {
  afterRedo,
  afterUndo,
  type Change,
  type FileText,
  type Places,
  type TextChange,
  withoutChange,
} from "./history";
import { type OpenConflict, useConflict } from "./useConflict";
import { type KeptHistory, useKeptHistory } from "./useKeptHistory";

/** Refusals after which a step can be taken no more: its file is another one, gone, or kept by a mission under way. */
const LOST: ReadonlySet<HostError["code"]> = new Set([
  "file_changed",
  "mission_exists",
  "mission_live",
  "mission_not_found",
]);

/** A file that this screen wrote last, and the hashes of those that it was made of, which the station may still show. */
export type SavedFile = { hash: string; passed: readonly string[] };

/** Files that a saved one was made of, as far as the station may be behind. */
const PASSED_MAX = 100;

/** `error` is the refusal of the last change. */
export type GraphHistory = {
  /**
   * Changes the file of a mission by edits that touch nothing else of it. Those that count entries are made of the file
   * `of` only, or of one that this window has made of that.
   */
  edit: (id: string, edits: MissionEdit[], of?: FileText | null) => void;
  /** Gives the file of a mission another text, or makes it again where it is missing. */
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
  /** The file that was written last, by an edit or a step; null before the first. */
  saved: SavedFile | null;
  /** A change that stopped before a text that nobody here had seen. */
  conflict: OpenConflict;
  error: HostError | null;
  forget: () => void;
};

const NOTHING = () => undefined;

/** Changes one after the other; `show` shows and keeps places, `onRemoved` is told of a file that a step put away. */
export function useGraphHistory(
  show: (places: Places) => void,
  onRemoved: (id: string) => void = NOTHING,
): GraphHistory {
  const { host } = useStation();
  const kept = useKeptHistory();
  const { agent, history, change: setHistory, note, record } = kept;
  const { begin: beginConflict, conflict } = useConflict(kept);
  const [error, setError] = useState<HostError | null>(null);
  const [saved, setSaved] = useState<SavedFile | null>(null);

  const wrote: Wrote = (from, to) => {
    if (to !== null) setSaved((before) => savedAfter(before, from, to));
  };
  const apply = async (change: Change, back: boolean) => {
    if (change.kind === "places") return show(back ? change.before : change.after);
    const [from, to] = ends(change, back);
    await put(host, agent, change.id, from, to);
    note(from, to);
    wrote(from, to);
    if (to === null) onRemoved(change.id);
  };
  const edit = useEdit(kept, wrote, (refusal, { id, of }) => {
    // The call itself forgets the refusal of an edit as soon as another one follows it.
    setError((before) => before ?? refusal);
    const now = presentIn(refusal);
    if (now !== null && of !== null) beginConflict({ id, mine: of.source, now, change: null });
  });
  const onRefused = (refusal: HostError, change: Change, back: boolean) => {
    const now = presentIn(refusal);
    const mine = change.kind === "places" ? null : ends(change, back)[1];
    if (now !== null && mine !== null && change.kind === "text") {
      return beginConflict({ id: change.id, mine: mine.source, now, change });
    }
    setError(refusal);
    if (LOST.has(refusal.code)) setHistory((before) => withoutChange(before, change));
  };
  const step = useMutation({
    mutationFn: ({ change, back }: Step) => apply(change, back),
    onSuccess: (_, { change, back }) => setHistory((before) => (back ? afterUndo : afterRedo)(before, change)),
    onError: (thrown, { change, back }) => onRefused(toHostError(thrown), change, back),
  });
  const pending = edit.isPending || step.isPending || conflict.pending;
  const forget = () => setError(null);
  const last = history.done.at(-1);
  const next = history.undone.at(-1);
  const take = (change: Change | undefined, back: boolean) => {
    if (pending) return;
    forget();
    if (change !== undefined) step.mutate({ change, back });
  };
  // Edits follow one another; none is dropped because another one is still on its way.
  const change = (asked: Omit<Asked, "agent" | "at_ms">) => {
    if (!edit.isPending) forget();
    edit.mutate({ ...asked, agent, at_ms: performance.now() });
  };
  return {
    edit: (id, edits, of = null) => change({ id, change: { edits }, of }),
    restore: (id, source) => change({ id, change: { source }, of: null }),
    moved: (before, after) => record({ kind: "places", before, after }),
    undo: () => take(last, true),
    redo: () => take(next, false),
    canUndo: last !== undefined,
    canRedo: next !== undefined,
    pending,
    saving: edit.isPending,
    saved,
    conflict,
    error,
    forget,
  };
}

/** A change that is undone, if `back`, or made again. */
type Step = { change: Change; back: boolean };

type Wrote = (from: FileText | null, to: FileText | null) => void;

/** Edits one at a time: each builds on the file that the previous one left. */
function useEdit({ made, record }: KeptHistory, wrote: Wrote, onRefused: (refusal: HostError, asked: Asked) => void) {
  const { host } = useStation();
  return useMutation({
    scope: { id: "mission-files" },
    mutationFn: async (asked: Asked): Promise<void> => {
      const { before, after } = await edited(host, made(), asked);
      const of = valueOf(asked.change);
      const typing = of === undefined ? undefined : { of, at_ms: asked.at_ms };
      record({ kind: "text", id: asked.id, before, after, typing });
      wrote(before, after);
    },
    onError: (thrown, asked) => onRefused(toHostError(thrown), asked),
  });
}

/** The text that a step begins with, and the one that it leads to. */
function ends({ before, after }: TextChange, back: boolean): [FileText | null, FileText | null] {
  return back ? [after, before] : [before, after];
}

/** A text that comes back is no longer one of those that were left behind. */
function savedAfter(before: SavedFile | null, from: FileText | null, { hash }: FileText): SavedFile {
  const passed = [...(before?.passed ?? []), ...(before === null ? [] : [before.hash]), ...(from ? [from.hash] : [])];
  return { hash, passed: [...new Set(passed)].filter((one) => one !== hash).slice(-PASSED_MAX) };
}
