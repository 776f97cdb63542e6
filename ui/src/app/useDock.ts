// Whether the agent dock is open, remembered per desk.

import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { onSuggested } from "../shared/agent/draft";

const KEY = "quarterdeck.dock";
/** Below this the window has one column: dock and main view take turns (U-206). */
const ONE_COLUMN = "(max-width: 45em)";

/** The dock stays mounted while it is closed: draft and scroll position survive (U-208). */
export function useDock(): { open: boolean; toggle: () => void } {
  const [location] = useLocation();
  const [open, setOpen] = useState(() => localStorage.getItem(KEY) !== "closed");
  const [shownAt, setShownAt] = useState(location);
  // Whoever goes somewhere wants to see it; the choice of a wider window is kept.
  if (shownAt !== location) {
    setShownAt(location);
    if (matchMedia(ONE_COLUMN).matches) setOpen(false);
  }
  // Synchronises with the draft: what another screen puts there for the operator is no use out of sight.
  useEffect(() => onSuggested(() => setOpen(true)), []);
  const toggle = () => {
    localStorage.setItem(KEY, open ? "closed" : "open");
    setOpen(!open);
    // Whoever opens the dock wants to write; the field can take the focus once it is on screen.
    if (!open) requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-region=dock] textarea")?.focus());
  };
  return { open, toggle };
}
