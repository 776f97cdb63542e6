// State of the global key of STOP ALL at this desk, as sentences; compiled in, because the STOP panel says it too.

import type { StopShortcut } from "../../generated/bindings/StopShortcut";

/** One sentence per state (U-603). */
export const STOP_SHORTCUT: Record<StopShortcut, string> = {
  registered: "Ctrl+Alt+End stops from any program of this computer.",
  wayland:
    "Ctrl+Alt+End does not stop from other programs: a Wayland desktop gives no program the keys of others. Use the tray, or the small stop window.",
  taken:
    "Ctrl+Alt+End does not stop from other programs: the desktop did not give Quarterdeck this key. Use the tray, or the small stop window.",
  no_desktop: "Ctrl+Alt+End does not stop from other programs: a page in a browser has no keys of the desktop.",
};
