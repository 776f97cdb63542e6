// Escape closes what was opened.

import type { KeyboardEvent } from "react";

/** A handler that calls `close` on Escape. */
export function onEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };
}
