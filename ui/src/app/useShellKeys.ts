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
    const toggles: Partial<Record<ShortcutId, () => void>> = { toggle_dock: reachDock, palette: togglePalette };
    const act = (event: KeyboardEvent): boolean => {
      const shortcut = findShortcut(event, "anywhere");
      if (shortcut === null) return false;
      const place = PLACES[shortcut];
      if (place !== undefined) {
        navigate(place);
        // Whoever goes to a screen by a key goes on in it by keys.
        focusScreen();
      } else if (!event.repeat) {
        // A key that is held would open and close again and again.
        toggles[shortcut]?.();
      }
      return place !== undefined || shortcut in toggles;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (act(event)) event.preventDefault();
    };
    const onRegionKey = (event: KeyboardEvent) => {
      const step = STEPS[findShortcut(event, "anywhere") ?? ""];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      focusRegion(step);
    };
    window.addEventListener("keydown", onKeyDown);
    // Ahead of React Aria, which goes round among toasts alone as long as there is one.
    window.addEventListener("keydown", onRegionKey, { capture: true });
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      window.removeEventListener("keydown", onRegionKey, { capture: true });
    };
  });
}

const STEPS: Readonly<Record<string, 1 | -1>> = { next_region: 1, previous_region: -1 };

/** Focuses the next region in reading order, or its first control. */
function focusRegion(step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-region]:not([hidden])")];
  // In one column the main view is out of sight behind the dock: what cannot take the focus would hold it up.
  const regions = all.filter((region) => region.checkVisibility());
  // One region may lie in another: the inner one comes later.
  const here = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions[(Math.max(here, 0) + (here < 0 && step === 1 ? 0 : step) + regions.length) % regions.length];
  const target = next?.matches("[tabindex]")
    ? next
    : next?.querySelector<HTMLElement>("a, button, input, select, textarea");
  target?.focus();
}
