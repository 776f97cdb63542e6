import { useState } from "react";

/** `base` is what was in force when the person began, `isSent` tells that the station took the choice. */
type Draft<Choice> = { choice: Choice; base: Choice; isSent: boolean };

export type ChoiceDraft<Choice> = {
  choice: Choice;
  choose: (choice: Choice) => void;
  /** The station took the choice: what is in force next counts. */
  sent: () => void;
  /** Another one came into force since the person began. */
  isOvertaken: boolean;
};

/** A choice while a person makes it. Untouched it is the one in force, which another desk may change at any time. */
export function useChoice<Choice>(inForce: Choice, same: (a: Choice, b: Choice) => boolean): ChoiceDraft<Choice> {
  const [draft, setDraft] = useState<Draft<Choice> | null>(null);
  const isOther = draft !== null && !same(draft.base, inForce);
  // The station may write a choice down in another form than it was sent in.
  if (draft !== null && (same(draft.choice, inForce) || (draft.isSent && isOther))) setDraft(null);
  return {
    choice: draft === null ? inForce : draft.choice,
    choose: (choice) => setDraft({ choice, base: draft === null ? inForce : draft.base, isSent: false }),
    sent: () => setDraft((now) => now && { ...now, isSent: true }),
    isOvertaken: isOther,
  };
}
