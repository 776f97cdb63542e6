// State of the global key of STOP ALL at this desk, as sentences; compiled in, because the STOP panel says it too.

import type { StopShortcut } from "../../generated/bindings/StopShortcut";
import { spoken } from "../../host/language";

const EN: Readonly<Record<StopShortcut, string>> = {
  registered: "Ctrl+Alt+End stops from any program of this computer.",
  wayland:
    "Ctrl+Alt+End does not stop from other programs: a Wayland desktop gives no program the keys of others. Use the tray, or the small stop window.",
  taken:
    "Ctrl+Alt+End does not stop from other programs: the desktop did not give Quarterdeck this key. Use the tray, or the small stop window.",
  no_desktop: "Ctrl+Alt+End does not stop from other programs: a page in a browser has no keys of the desktop.",
};

const DE: Readonly<Record<StopShortcut, string>> = {
  registered: "Strg+Alt+Ende stoppt aus jedem Programm dieses Rechners.",
  wayland:
    "Strg+Alt+Ende stoppt nicht aus anderen Programmen: Unter Wayland erhält kein Programm die Tasten anderer. Stoppen Sie über das Symbol im Infobereich oder das kleine Stoppfenster.",
  taken:
    "Strg+Alt+Ende stoppt nicht aus anderen Programmen: Der Desktop hat Quarterdeck diese Taste nicht überlassen. Stoppen Sie über das Symbol im Infobereich oder das kleine Stoppfenster.",
  no_desktop: "Strg+Alt+Ende stoppt nicht aus anderen Programmen: Eine Seite im Browser hat keine Tasten des Desktops.",
};

/** One sentence per state (U-603). */
export function stopShortcutText(state: StopShortcut): string {
  return spoken({ en: EN, de: DE })[state];
}
