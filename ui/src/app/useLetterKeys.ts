// Character keys that act on every screen, outside of fields: a search, the list of keys, and going to what waits
// (U-1902).

import { useEffect } from "react";
import { useLocation } from "wouter";
import { oldestUnacknowledged } from "../domain/alarm/alarm-state";
import { useRows } from "../domain/station/useRows";
import { inQueueOrder, isOpen } from "../domain/proposal/proposal-state";
import { openStopSheet } from "../host/stop-sheet";
import { findShortcut } from "../design/shortcuts/keys-in-force";
import { isWriting, usePairKeys } from "../design/shortcuts/usePairKeys";
import { focusWhenDrawn } from "./focus";

/** Binds them; `toggleSheet` shows and hides the list of keys. */
export function useLetterKeys(toggleSheet: () => void): void {
  const [, navigate] = useLocation();
  const alarms = useRows("alarms", "list_alarms", { preset: "active" });
  const proposals = useRows("proposals", "list_proposals", {});
  const [first] = inQueueOrder((proposals.data?.rows ?? []).filter(({ state }) => isOpen(state)));
  const oldest = oldestUnacknowledged(alarms.data?.rows ?? []);
  usePairKeys({
    go_oldest_alarm: () => navigate(oldest === null ? "/alarms" : `/alarms/${oldest.id}`),
    go_next_approval: () => {
      navigate(first === undefined ? "/approvals" : `/approvals/${first.id}`);
      // The card as a whole: what is on it comes before the buttons.
      focusWhenDrawn(first === undefined ? "[data-region=main]" : `main [data-testid="proposal-${first.id}"]`);
    },
    go_stop_sheet: openStopSheet,
  });

  // Synchronises with the keyboard of the window.
  useEffect(() => {
    const act = (event: KeyboardEvent): boolean => {
      const shortcut = findShortcut(event, "outside_text");
      if (shortcut === "sheet") {
        toggleSheet();
        return true;
      }
      if (shortcut !== "search") return false;
      const field = document.querySelector<HTMLElement>("main [data-search]");
      // Where there is nothing to search, the key stays with the browser.
      field?.focus();
      return field !== null;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isWriting(event)) return;
      if (act(event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
}
