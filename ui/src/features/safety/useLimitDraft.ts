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
  attempt: () => ConstraintKind | null;
};

/** A draft that begins as `initial`; `onEdit` hears of every change. */
export function useLimitDraft(initial: () => Draft, onEdit: () => void): LimitDraft {
  const [draft, setDraft] = useState(initial);
  const [tried, setTried] = useState(false);
  const reading = readDraft(draft);
  return {
    draft,
    reading,
    tried,
    setText: (path, text) => {
      onEdit();
      setDraft(withText(draft, path, text));
    },
    setActuator: (actuator) => {
      onEdit();
      setDraft(withActuator(draft, actuator));
    },
    setKind: (kind) => {
      onEdit();
      setDraft(emptyDraft(kind));
      setTried(false);
    },
    setLimit: (limit) => {
      onEdit();
      setDraft(draftOf(limit));
    },
    attempt: () => {
      setTried(reading.problems !== null);
      return reading.limit;
    },
  };
}
