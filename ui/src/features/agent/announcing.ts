// Announcement of a reply to a screen reader: as this desk has chosen (U-912).

import { useSyncExternalStore } from "react";
import { deskMemory } from "../../host/memory";

/** Sentence by sentence while it grows, or once when it is whole. */
export type Announcing = "sentences" | "replies";

const KEY = "quarterdeck.announce";
const listeners = new Set<() => void>();

/** The choice of this desk. */
export function useAnnouncing(): Announcing {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // Anything else, from an older window or by hand, is the first choice.
    () => (deskMemory.read(KEY) === "replies" ? "replies" : "sentences"),
  );
}

/** Chooses for this desk. */
export function chooseAnnouncing(announcing: Announcing): void {
  deskMemory.write(KEY, announcing);
  for (const listener of listeners) listener();
}
