// Keys that act on every screen.

import { useEffect } from "react";
import { useLocation } from "wouter";
import { findShortcut } from "../design/shortcuts/keys-in-force";
import type { ShortcutId } from "../design/shortcuts/shortcuts";
import { focusScreen } from "./focus";

const PLACES: Partial<Record<ShortcutId, string>> = {
  go_overview: "/overview",
  go_missions: "/missions",
  go_world: "/world",
  go_approvals: "/approvals",
  go_alarms: "/alarms",
  go_beliefs: "/beliefs",
  go_safety: "/safety",
  go_admin: "/admin",
};

/** Binds navigation, the dock and the way between regions. STOP ALL has its own keys in its own root. */
export function useShellKeys(reachDock: () => void, togglePalette: () => void): void {
  const [, navigate] = useLocation();

  // Synchronises with the keyboard of the window.
  useEffect(() => {
    const acts: Partial<Record<ShortcutId, () => void>> = {
      toggle_dock: reachDock,
      palette: togglePalette,
      next_region: () => focusRegion(1),
      previous_region: () => focusRegion(-1),
    };
    const act = (event: KeyboardEvent): boolean => {
      const shortcut = findShortcut(event, "anywhere");
      if (shortcut === null) return false;
      const place = PLACES[shortcut];
      if (place !== undefined) {
        navigate(place);
        // Whoever goes to a screen by a key goes on in it by keys.
        focusScreen();
      } else {
        acts[shortcut]?.();
      }
      return place !== undefined || shortcut in acts;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (act(event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
}

/** Focuses the next region in reading order, or its first control. */
function focusRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]:not([hidden])")];
  // One region may lie in another: the inner one comes later.
  const here = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions[(Math.max(here, 0) + (here < 0 && step === 1 ? 0 : step) + regions.length) % regions.length];
  const target = next?.matches("[tabindex]")
    ? next
    : next?.querySelector<HTMLElement>("a, button, input, select, textarea");
  target?.focus();
}
