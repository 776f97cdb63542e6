// The state of a form that writes a limit.

import { useState } from "react";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import { type Draft, draftOf, type DraftReading, emptyDraft, readDraft, withActuator, withText } from "./limit-draft";
import type { KindName } from "./limit-kinds";

/** `attempt` gives the limit, or shows every problem from then on. */
export type LimitDraft = {
  draft: Draft;
  reading: DraftReading;
  tried: boolean;
  setText: (path: string, text: string) => void;
  setActuator: (actuator: string) => void;
  setKind: (kind: KindName) => void;
  /** Takes the numbers of a limit that was drawn or moved. */
  setLimit: (limit: ConstraintKind) => void;
  /** Takes the last edit back; null where there is none. Edits of the same numbers in a row are one. */
  undo: (() => void) | null;
  attempt: () => ConstraintKind | null;
};

/** A draft as it was before an edit, and the numbers that the edit changed. */
type Step = { before: Draft; changed: string };

/** More than anybody takes back. */
const STEPS_MAX = 100;

/** The numbers in which two drafts differ. */
function changedPaths(one: Draft, other: Draft): string {
  const paths = [...new Set([...one.texts.keys(), ...other.texts.keys()])].sort();
  const changed = paths.filter((path) => one.texts.get(path) !== other.texts.get(path));
  return [...changed, one.actuator === other.actuator ? "" : "actuator"].join(" ");
}

/** A draft that begins as `initial`; `onEdit` hears of every change. */
export function useLimitDraft(initial: () => Draft, onEdit: () => void): LimitDraft {
  const [draft, setDraft] = useState(initial);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [tried, setTried] = useState(false);
  const reading = readDraft(draft);
  const edit = (next: Draft) => {
    const changed = changedPaths(draft, next);
    onEdit();
    setDraft(next);
    if (steps.at(-1)?.changed !== changed) setSteps([...steps, { before: draft, changed }].slice(-STEPS_MAX));
  };
  const last = steps.at(-1);
  return {
    draft,
    reading,
    tried,
    setText: (path, text) => {
      edit(withText(draft, path, text));
    },
    setActuator: (actuator) => {
      edit(withActuator(draft, actuator));
    },
    setKind: (kind) => {
      onEdit();
      setDraft(emptyDraft(kind));
      // One press of an arrow key on the list of kinds would otherwise lose every number.
      setSteps([...steps, { before: draft, changed: `kind ${kind}` }].slice(-STEPS_MAX));
      setTried(false);
    },
    setLimit: (limit) => {
      edit(draftOf(limit));
    },
    undo: last
      ? () => {
          onEdit();
          setDraft(last.before);
          setSteps(steps.slice(0, -1));
        }
      : null,
    attempt: () => {
      setTried(reading.problems !== null);
      return reading.limit;
    },
  };
}
