// Keys that act on every screen.

import { useEffect } from "react";
import { useLocation } from "wouter";
import { findShortcut } from "../shared/shortcuts";

/** Binds navigation, the dock and the way between regions. STOP ALL has its own keys in its own root. */
export function useShellKeys(toggleDock: () => void, togglePalette: () => void): void {
  const [, navigate] = useLocation();

  // Synchronises with the keyboard of the window.
  useEffect(() => {
    const act = (event: KeyboardEvent): boolean => {
      switch (findShortcut(event, "anywhere")) {
        case "go_overview":
          navigate("/overview");
          return true;
        case "go_world":
          navigate("/world");
          return true;
        case "go_approvals":
          navigate("/approvals");
          return true;
        case "go_beliefs":
          navigate("/beliefs");
          return true;
        case "go_safety":
          navigate("/safety");
          return true;
        case "toggle_dock":
          toggleDock();
          return true;
        case "palette":
          togglePalette();
          return true;
        case "next_region":
          focusRegion(1);
          return true;
        case "previous_region":
          focusRegion(-1);
          return true;
        case "stop_all":
        case "stop_all_f12":
        case "next_problem":
        case "previous_problem":
        case "reject":
        case "take_control":
        case "jog_x_plus":
        case "jog_x_minus":
        case "jog_y_plus":
        case "jog_y_minus":
        case "jog_third_plus":
        case "jog_third_minus":
        case "scene_top":
        case "scene_side":
        case "scene_fit":
        case "scene_zoom_in":
        case "scene_zoom_out":
        case "mark_previous":
        case "mark_next":
        case "mark_open":
        case "timeline_zoom_in":
        case "timeline_zoom_out":
        case "timeline_fit":
        case "timeline_pan_back":
        case "timeline_pan_on":
        case null:
          return false;
      }
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
  const here = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(Math.max(here, 0) + (here < 0 && step === 1 ? 0 : step) + regions.length) % regions.length];
  const target = next?.matches("[tabindex]") ? next : next?.querySelector<HTMLElement>("a, button, input, select, textarea");
  target?.focus();
}
