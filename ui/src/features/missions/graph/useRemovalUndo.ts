// The way back of a file that was put away, for the toast that says so.

import type { Undo } from "../../../design/components/toast-queue";
import { toHostError } from "../../../host/host";
import { errorSentence } from "../../../locales/i18n";
import { useStation } from "../../../domain/station/station-context";
import { put } from "./file-writes";
import { afterUndo, type Change, type FileText, type History, withChange } from "./history";
import { useKeptHistory } from "./useKeptHistory";

/** Makes undos that work, and say a refusal, after the screen that made them is gone. */
export function useRemovalUndo(): (id: string, file: FileText) => Undo {
  const { host } = useStation();
  const { agent, change } = useKeptHistory();
  return (id, file) => async () => {
    try {
      await put(host, agent, id, null, file);
      change((before) => broughtBack(before, id, file));
      return null;
    } catch (thrown) {
      const { code, message, details } = toHostError(thrown);
      return errorSentence(code, message, details);
    }
  };
}

/** The history once the file is back: its removal is undone, or a step of its own where others have followed. */
export function broughtBack(history: History, id: string, file: FileText): History {
  const last = history.done.at(-1);
  const back: Change = { kind: "text", id, before: null, after: file };
  const isLast = last?.kind === "text" && last.id === id && last.after === null && last.before?.hash === file.hash;
  return isLast ? afterUndo(history, last) : withChange(history, back);
}
