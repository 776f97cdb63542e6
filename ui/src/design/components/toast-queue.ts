// What the window has just done, said once more beside where it was done. Alarms and approvals have their own places.

import { UNSTABLE_ToastQueue as ToastQueue } from "react-aria-components";

/** A sentence, and how to take back what it says where that can be done. */
export type Said = { text: string; undo?: () => void };

/** Long enough to read a sentence and to reach its button, ms. */
const SHOWN_MS = 6_000;

/** The toasts on screen. */
export const toasts = new ToastQueue<Said>({ maxVisibleToasts: 3 });

/** Shows a sentence for six seconds. */
export function say(said: Said): void {
  toasts.add(said, { timeout: SHOWN_MS });
}
