import { useEffect } from "react";
import { StopKeys } from "./stop-keys";

/** Listens for the keys of STOP ALL. */
export function useStopKeys(stop: () => void): void {
  // Synchronises with the keyboard: captured at the window, before text fields and dialogs.
  useEffect(() => {
    const keys = new StopKeys();
    const onKeyDown = (event: KeyboardEvent) => {
      const outcome = keys.press(event, performance.now());
      if (outcome === "ignored") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (outcome === "stops") stop();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  });
}
