// Every key the window listens to: handlers, hints and accessible descriptions read this one table (U-1904).

import { type Language, spoken } from "../../host/language";

/** Scope of a key. `anywhere` also acts in text fields and dialogs; `after_g` needs a G before it. */
export type Scope =
  | "anywhere"
  | "scene"
  | "form"
  | "card"
  | "tile"
  | "jog"
  | "alarm"
  | "outside_text"
  | "after_g"
  | "timeline"
  | "mission";

/** A key or chord, compared against `KeyboardEvent.key`. */
export type Shortcut = {
  id: ShortcutId;
  scope: Scope;
  key: string;
  ctrl: boolean;
  shift: boolean;
  times: 1 | 2;
  hint: string;
};

/** Actions that have a shortcut. */
export type ShortcutId =
  | "stop_all"
  | "stop_all_f12"
  | "go_overview"
  | "go_missions"
  | "go_world"
  | "go_approvals"
  | "go_alarms"
  | "go_beliefs"
  | "go_safety"
  | "go_admin"
  | "palette"
  | "mark_previous"
  | "mark_next"
  | "mark_open"
  | "timeline_zoom_in"
  | "timeline_zoom_out"
  | "timeline_fit"
  | "timeline_pan_back"
  | "timeline_pan_on"
  | "toggle_dock"
  | "search"
  | "sheet"
  | "begin_go"
  | "go_oldest_alarm"
  | "go_next_approval"
  | "go_stop_sheet"
  | "go_next_running"
  | "next_region"
  | "previous_region"
  | "next_problem"
  | "previous_problem"
  | "reject"
  | "take_control"
  | "acknowledge_alarm"
  | "shelve_alarm"
  | "jog_x_plus"
  | "jog_x_minus"
  | "jog_y_plus"
  | "jog_y_minus"
  | "jog_third_plus"
  | "jog_third_minus"
  | "scene_top"
  | "scene_front"
  | "scene_side"
  | "scene_fit"
  | "scene_follow"
  | "scene_zoom_in"
  | "scene_zoom_out"
  | "mission_link"
  | "mission_unlink"
  | "mission_new"
  | "mission_remove"
  | "mission_tidy"
  | "mission_undo"
  | "mission_redo";

const plain = { ctrl: false, shift: false, times: 1 } as const;
const ctrl = { ctrl: true, shift: false, times: 1 } as const;

/** The table. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: "stop_all", scope: "anywhere", key: ".", ...ctrl, hint: "Ctrl+." },
  { id: "stop_all_f12", scope: "anywhere", key: "F12", ctrl: false, shift: false, times: 2, hint: "F12 F12" },
  { id: "go_overview", scope: "anywhere", key: "1", ...ctrl, hint: "Ctrl+1" },
  { id: "go_missions", scope: "anywhere", key: "2", ...ctrl, hint: "Ctrl+2" },
  { id: "go_world", scope: "anywhere", key: "3", ...ctrl, hint: "Ctrl+3" },
  { id: "go_approvals", scope: "anywhere", key: "4", ...ctrl, hint: "Ctrl+4" },
  { id: "go_alarms", scope: "anywhere", key: "5", ...ctrl, hint: "Ctrl+5" },
  { id: "go_beliefs", scope: "anywhere", key: "6", ...ctrl, hint: "Ctrl+6" },
  { id: "go_safety", scope: "anywhere", key: "8", ...ctrl, hint: "Ctrl+8" },
  { id: "go_admin", scope: "anywhere", key: "9", ...ctrl, hint: "Ctrl+9" },
  { id: "palette", scope: "anywhere", key: "k", ...ctrl, hint: "Ctrl+K" },
  { id: "toggle_dock", scope: "anywhere", key: "j", ...ctrl, hint: "Ctrl+J" },
  { id: "search", scope: "outside_text", key: "/", ...plain, hint: "/" },
  { id: "sheet", scope: "outside_text", key: "?", ...plain, hint: "?" },
  { id: "begin_go", scope: "outside_text", key: "g", ...plain, hint: "G" },
  { id: "go_oldest_alarm", scope: "after_g", key: "a", ...plain, hint: "G A" },
  { id: "go_next_approval", scope: "after_g", key: "p", ...plain, hint: "G P" },
  { id: "go_stop_sheet", scope: "after_g", key: "s", ...plain, hint: "G S" },
  { id: "go_next_running", scope: "after_g", key: "r", ...plain, hint: "G R" },
  { id: "next_region", scope: "anywhere", key: "F6", ...plain, hint: "F6" },
  { id: "previous_region", scope: "anywhere", key: "F6", ctrl: false, shift: true, times: 1, hint: "Shift+F6" },
  { id: "next_problem", scope: "form", key: "F8", ...plain, hint: "F8" },
  { id: "previous_problem", scope: "form", key: "F8", ctrl: false, shift: true, times: 1, hint: "Shift+F8" },
  { id: "reject", scope: "card", key: "r", ...plain, hint: "R" },
  { id: "take_control", scope: "tile", key: "c", ...plain, hint: "C" },
  { id: "acknowledge_alarm", scope: "alarm", key: "a", ...plain, hint: "A" },
  { id: "shelve_alarm", scope: "alarm", key: "s", ...plain, hint: "S" },
  { id: "jog_x_plus", scope: "jog", key: "ArrowRight", ...plain, hint: "→" },
  { id: "jog_x_minus", scope: "jog", key: "ArrowLeft", ...plain, hint: "←" },
  { id: "jog_y_plus", scope: "jog", key: "ArrowUp", ...plain, hint: "↑" },
  { id: "jog_y_minus", scope: "jog", key: "ArrowDown", ...plain, hint: "↓" },
  { id: "jog_third_plus", scope: "jog", key: "PageUp", ...plain, hint: "PgUp" },
  { id: "jog_third_minus", scope: "jog", key: "PageDown", ...plain, hint: "PgDn" },
  { id: "scene_top", scope: "scene", key: "7", ...plain, hint: "7" },
  { id: "scene_front", scope: "scene", key: "1", ...plain, hint: "1" },
  { id: "scene_side", scope: "scene", key: "3", ...plain, hint: "3" },
  { id: "scene_fit", scope: "scene", key: "0", ...plain, hint: "0" },
  { id: "scene_follow", scope: "scene", key: "f", ...plain, hint: "F" },
  { id: "scene_zoom_in", scope: "scene", key: "+", ...plain, hint: "+" },
  { id: "scene_zoom_out", scope: "scene", key: "-", ...plain, hint: "−" },
  { id: "mark_previous", scope: "timeline", key: "ArrowLeft", ...plain, hint: "←" },
  { id: "mark_next", scope: "timeline", key: "ArrowRight", ...plain, hint: "→" },
  { id: "mark_open", scope: "timeline", key: "Enter", ...plain, hint: "Enter" },
  { id: "timeline_zoom_in", scope: "timeline", key: "+", ...plain, hint: "+" },
  { id: "timeline_zoom_out", scope: "timeline", key: "-", ...plain, hint: "−" },
  { id: "timeline_fit", scope: "timeline", key: "0", ...plain, hint: "0" },
  { id: "timeline_pan_back", scope: "timeline", key: "ArrowLeft", ctrl: false, shift: true, times: 1, hint: "Shift+←" },
  { id: "timeline_pan_on", scope: "timeline", key: "ArrowRight", ctrl: false, shift: true, times: 1, hint: "Shift+→" },
  { id: "mission_link", scope: "mission", key: "l", ...plain, hint: "L" },
  { id: "mission_unlink", scope: "mission", key: "l", ctrl: false, shift: true, times: 1, hint: "Shift+L" },
  { id: "mission_new", scope: "mission", key: "n", ...plain, hint: "N" },
  { id: "mission_remove", scope: "mission", key: "Delete", ...plain, hint: "Del" },
  { id: "mission_tidy", scope: "mission", key: "t", ...plain, hint: "T" },
  { id: "mission_undo", scope: "mission", key: "z", ...ctrl, hint: "Ctrl+Z" },
  { id: "mission_redo", scope: "mission", key: "y", ...ctrl, hint: "Ctrl+Y" },
];

/** Letters that mean one thing with Shift and another without. */
const TWICE: ReadonlySet<string> = new Set(
  SHORTCUTS.filter(({ key, shift }) => shift && /^[a-z]$/.test(key)).map(({ key }) => key),
);

/** Fields of a keyboard event that the matcher reads. */
export type Keys = Pick<KeyboardEvent, "key" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

/** True if the event is this shortcut's key, however often it has to be pressed. */
export function matches(shortcut: Shortcut, event: Keys): boolean {
  // A shifted character such as "+" already says so in its key; a letter is meant with Shift where another one is without.
  const saysSo = shortcut.key.length === 1 && !TWICE.has(shortcut.key);
  const shift = saysSo || shortcut.shift === event.shiftKey;
  return (
    event.key.toLowerCase() === shortcut.key.toLowerCase() &&
    event.ctrlKey === shortcut.ctrl &&
    shift &&
    !event.altKey &&
    !event.metaKey
  );
}

/** The shortcut of a scope that the event is, if any. */
export function findShortcut(event: Keys, ...scopes: readonly Scope[]): ShortcutId | null {
  return SHORTCUTS.find((shortcut) => scopes.includes(shortcut.scope) && matches(shortcut, event))?.id ?? null;
}

/** Names that keys bear on keyboards of the window's language; STOP ALL shows one, so they are compiled in. */
const CAPS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {},
  de: { Ctrl: "Strg", Shift: "Umschalt", Enter: "Eingabe", Del: "Entf", PgUp: "Bild auf", PgDn: "Bild ab" },
};

/** Text of a shortcut as shown beside its control. */
export function hintOf(id: ShortcutId): string {
  const hint = SHORTCUTS.find((shortcut) => shortcut.id === id)?.hint ?? "";
  const caps = spoken(CAPS);
  return hint.replaceAll(/[A-Za-z]{2,}/g, (cap) => caps[cap] ?? cap);
}

/** A shortcut as `aria-keyshortcuts` writes it, which is the same in every language. */
export function chordOf(id: ShortcutId): string {
  const found = SHORTCUTS.find((shortcut) => shortcut.id === id);
  if (!found) return "";
  return [...(found.ctrl ? ["Control"] : []), ...(found.shift ? ["Shift"] : []), found.key].join("+");
}
