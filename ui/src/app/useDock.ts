// Open state of the agent dock, remembered per desk, and the moves of the focus into and out of it.

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { COMPOSER_ID, onSuggested } from "../domain/agent/draft";
import { deskMemory } from "../host/memory";
import { useMedia } from "../design/layout/media";
import { focusScreen, focusWhenDrawn } from "./focus";

const KEY = "quarterdeck.dock";
/** Below this the window has one column: dock and main view take turns (U-206). */
const ONE_COLUMN = "(max-width: 45em)";
/** Screens with several parts beside one another: there the dock is closed until somebody opens it. */
const WIDE_SCREENS = ["/approvals", "/beliefs", "/missions", "/safety"];
/** The field in which the operator writes. */
const FIELD = `[data-region=dock] #${COMPOSER_ID}`;

/** `toggle` is the button's; `reach` is the key's, which never takes the field away from somebody who is elsewhere. */
export type Dock = { open: boolean; toggle: () => void; reach: () => void; onKeyDown: (event: KeyboardEvent) => void };

/** The dock stays mounted while it is closed: draft and scroll position survive (U-208). */
export function useDock(): Dock {
  const [location] = useLocation();
  const oneColumn = useMedia(ONE_COLUMN);
  const [choice, setOpen] = useState(() => startsAs(oneColumn));
  const [wasOneColumn, setWasOneColumn] = useState(oneColumn);
  const open = choice ?? !WIDE_SCREENS.some((screen) => location.startsWith(screen));
  const [shownAt, setShownAt] = useState(location);
  const cameFrom = useRef<Element | null>(null);
  // Whoever goes somewhere wants to see it; the choice of a wider window is kept.
  if (shownAt !== location) {
    setShownAt(location);
    if (oneColumn) setOpen(false);
  }
  // In one column the robots come before the agent, zoomed in as well.
  if (wasOneColumn !== oneColumn) {
    setWasOneColumn(oneColumn);
    setOpen(startsAs(oneColumn));
  }
  // Synchronises with the draft: what another screen puts there for the operator is no use out of sight.
  useEffect(() => onSuggested(() => setOpen(true)), []);

  // Synchronises with the focus of the window: it does not stay in a dock that is closed.
  useEffect(() => {
    if (!open && isInDock(document.activeElement)) focusScreen();
  }, [open]);

  const set = (next: boolean) => {
    // In one column dock and main view take turns: nobody chooses how the window stands when it is wide.
    if (!oneColumn) deskMemory.write(KEY, next ? "open" : "closed");
    setOpen(next);
  };
  const enter = () => {
    if (!isInDock(document.activeElement)) cameFrom.current = document.activeElement;
    focusWhenDrawn(FIELD);
  };
  const leave = () => {
    const back = cameFrom.current;
    cameFrom.current = null;
    if (back instanceof HTMLElement && back !== document.body && back.isConnected) back.focus();
    else focusScreen();
  };
  const toggle = () => {
    set(!open);
    // Whoever opens the dock wants to write.
    if (!open) enter();
  };
  const reach = () => {
    if (open && isInDock(document.activeElement)) {
      set(false);
      leave();
      return;
    }
    if (!open) set(true);
    enter();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const writing = event.target instanceof HTMLTextAreaElement;
    if (event.key !== "Escape" || !writing || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    leave();
  };
  return { open, toggle, reach, onKeyDown };
}

/** Closed in one column, else as this desk has chosen; null before it has. */
function startsAs(oneColumn: boolean): boolean | null {
  return oneColumn ? false : chosen();
}

function chosen(): boolean | null {
  const kept = deskMemory.read(KEY);
  return kept === null ? null : kept !== "closed";
}

function isInDock(element: Element | null): boolean {
  return element !== null && element.closest("[data-region=dock]") !== null;
}
