// Puts the focus into a part that was just opened.

import { type RefObject, useEffect } from "react";

/** Whoever opened `part` wants to fill it in: its first field takes the focus. */
export function useFirstField(part: RefObject<HTMLElement | null>): void {
  // Synchronises with the focus of the window.
  useEffect(() => part.current?.querySelector("input")?.focus(), [part]);
}
