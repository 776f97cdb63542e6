// What the window has just done, said once more beside where it was done. Alarms and approvals have their own places.

import { UNSTABLE_ToastQueue as ToastQueue } from "react-aria-components";
import { toHostError } from "../../host/host";
import { refusalText } from "../fields/refusal";

/** Takes back what was done; gives the sentence of a refusal, or null once it is taken back. */
export type Undo = () => Promise<string | null>;

/** A sentence, and how to take back what it says where that can be done. A refusal stays until it is closed. */
export type Said = { text: string; undo?: Undo; isRefusal?: boolean };

/** Long enough to read a sentence and to reach its button, ms. */
const SHOWN_MS = 6_000;

/** The toasts on screen; more than three would cover the rows that they are about. */
export const toasts = new ToastQueue<Said>({ maxVisibleToasts: 3 });

/** Shows a sentence for six seconds. */
export function say(said: Said): void {
  toasts.add(said, said.isRefusal === true ? {} : { timeout: SHOWN_MS });
}

/** Takes something back. What it was done with may be gone from the screen: the refusal is said in the same place. */
export async function takeBack(undo: Undo): Promise<void> {
  const refusal = await undo().catch((thrown: unknown) => refusalText(toHostError(thrown)));
  if (refusal !== null) say({ text: refusal, isRefusal: true });
}
