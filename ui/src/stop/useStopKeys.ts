import { useEffect, useState } from "react";
import { StopKeys } from "./stop-keys";

/** Listens for the keys of STOP ALL. */
export function useStopKeys(stop: () => void): void {
  // Kept over renders: one that comes between two presses of F12 must not make the second one the first.
  const [keys] = useState(() => new StopKeys());

  // Synchronises with the keyboard: captured at the window, before text fields and dialogs.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // The time of the press: a page that is busy hears the second one late, and it is no first one.
      const outcome = keys.press(event, event.timeStamp);
      if (outcome === "ignored") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (outcome === "stops") stop();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  });
}
