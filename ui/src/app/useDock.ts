// Whether the agent dock is open, remembered per desk.

import { useState } from "react";

const KEY = "quarterdeck.dock";

/** The dock stays mounted while it is closed: draft and scroll position survive (U-208). */
export function useDock(): { open: boolean; toggle: () => void } {
  const [open, setOpen] = useState(() => localStorage.getItem(KEY) !== "closed");
  const toggle = () => {
    localStorage.setItem(KEY, open ? "closed" : "open");
    setOpen(!open);
    // Whoever opens the dock wants to write; the field can take the focus once it is on screen.
    if (!open) requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-region=dock] textarea")?.focus());
  };
  return { open, toggle };
}
