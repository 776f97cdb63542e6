// A change that stopped before a text that nobody here had seen.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type HostError, toHostError } from "../../../host/host";
import { aboutAgent, operation } from "../../../host/operations";
import { useStation } from "../../../domain/station/station-context";
import { presentIn } from "./file-writes";
import { type Change, type FileText, withoutChange } from "./history";
import type { KeptHistory } from "./useKeptHistory";

/**
 * `mine` is the text that would have been written, `now` the one that stands in the file. `change` is the step of the
 * history that would have written it; null for an edit of the form, whose `mine` is the text that it was made of.
 */
export type Conflict = { id: string; mine: string; now: FileText; change: Change | null };

/** The conflict that is open, and what a person may do with it. */
export type OpenConflict = {
  open: Conflict | null;
  /** Leaves the file as it is, and drops the step. */
  keepNow: () => void;
  /** Puts the text of this window in its place, as a step that can be undone. */
  putMine: () => void;
  /** Closes it; the step stays in the history. */
  close: () => void;
  pending: boolean;
  error: HostError | null;
};

/** The conflict of a history, and the way to open one. */
export function useConflict({ agent, change, record }: KeptHistory) {
  const { host } = useStation();
  const [open, setOpen] = useState<Conflict | null>(null);
  const drop = ({ change: lost }: Conflict) => lost !== null && change((before) => withoutChange(before, lost));
  const write = useMutation({
    mutationFn: async ({ id, mine, now }: Conflict) => {
      const input = { mission_id: id, base_hash: now.hash, source: mine };
      return operation(host, "save_mission", aboutAgent("save_mission", input, agent));
    },
    onSuccess: ({ hash, source }, conflict) => {
      drop(conflict);
      record({ kind: "text", id: conflict.id, before: conflict.now, after: { hash, source } });
      setOpen(null);
    },
    onError: (thrown, conflict) => {
      // Once more: what is written over is always what was read.
      const now = presentIn(toHostError(thrown));
      if (now !== null) setOpen({ ...conflict, now });
    },
  });
  const begin = (conflict: Conflict) => {
    write.reset();
    setOpen(conflict);
  };
  const conflict: OpenConflict = {
    open,
    keepNow: () => {
      if (open !== null) drop(open);
      setOpen(null);
    },
    putMine: () => {
      if (open !== null && !write.isPending) write.mutate(open);
    },
    close: () => setOpen(null),
    pending: write.isPending,
    error: write.error === null ? null : toHostError(write.error),
  };
  return { begin, conflict };
}
