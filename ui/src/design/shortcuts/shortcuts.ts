// Every key that the window listens to, as it is until somebody changes it (U-1904). What is in force: keys-in-force.ts.

import type { Chord } from "./chords";

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

/** An action, the scope of its key, and the key that it has at first. */
export type Shortcut = { id: ShortcutId; scope: Scope } & Chord;

/** The keys of STOP ALL, which nobody can change: they are the same on every desk. */
export const STOP_KEYS = ["stop_all", "stop_all_f12"] as const;
export type StopKey = (typeof STOP_KEYS)[number];

/** In the order a reader looks for them: what acts everywhere comes first. */
export const SCOPES: readonly Scope[] = [
  "anywhere",
  "outside_text",
  "after_g",
  "tile",
  "alarm",
  "card",
  "form",
  "mission",
  "scene",
  "timeline",
  "jog",
];

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

const plain = { ctrl: false, shift: false } as const;
const ctrl = { ctrl: true, shift: false } as const;

/** The table. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: "stop_all", scope: "anywhere", key: ".", ...ctrl },
  { id: "stop_all_f12", scope: "anywhere", key: "F12", ctrl: false, shift: false },
  { id: "go_overview", scope: "anywhere", key: "1", ...ctrl },
  { id: "go_missions", scope: "anywhere", key: "2", ...ctrl },
  { id: "go_world", scope: "anywhere", key: "3", ...ctrl },
  { id: "go_approvals", scope: "anywhere", key: "4", ...ctrl },
  { id: "go_alarms", scope: "anywhere", key: "5", ...ctrl },
  { id: "go_beliefs", scope: "anywhere", key: "6", ...ctrl },
  { id: "go_safety", scope: "anywhere", key: "8", ...ctrl },
  { id: "go_admin", scope: "anywhere", key: "9", ...ctrl },
  { id: "palette", scope: "anywhere", key: "k", ...ctrl },
  { id: "toggle_dock", scope: "anywhere", key: "j", ...ctrl },
  { id: "search", scope: "outside_text", key: "/", ...plain },
  { id: "sheet", scope: "outside_text", key: "?", ...plain },
  { id: "begin_go", scope: "outside_text", key: "g", ...plain },
  { id: "go_oldest_alarm", scope: "after_g", key: "a", ...plain },
  { id: "go_next_approval", scope: "after_g", key: "p", ...plain },
  { id: "go_stop_sheet", scope: "after_g", key: "s", ...plain },
  { id: "go_next_running", scope: "after_g", key: "r", ...plain },
  { id: "next_region", scope: "anywhere", key: "F6", ...plain },
  { id: "previous_region", scope: "anywhere", key: "F6", ctrl: false, shift: true },
  { id: "next_problem", scope: "form", key: "F8", ...plain },
  { id: "previous_problem", scope: "form", key: "F8", ctrl: false, shift: true },
  { id: "reject", scope: "card", key: "r", ...plain },
  { id: "take_control", scope: "tile", key: "c", ...plain },
  { id: "acknowledge_alarm", scope: "alarm", key: "a", ...plain },
  { id: "shelve_alarm", scope: "alarm", key: "s", ...plain },
  { id: "jog_x_plus", scope: "jog", key: "ArrowRight", ...plain },
  { id: "jog_x_minus", scope: "jog", key: "ArrowLeft", ...plain },
  { id: "jog_y_plus", scope: "jog", key: "ArrowUp", ...plain },
  { id: "jog_y_minus", scope: "jog", key: "ArrowDown", ...plain },
  { id: "jog_third_plus", scope: "jog", key: "PageUp", ...plain },
  { id: "jog_third_minus", scope: "jog", key: "PageDown", ...plain },
  { id: "scene_top", scope: "scene", key: "7", ...plain },
  { id: "scene_front", scope: "scene", key: "1", ...plain },
  { id: "scene_side", scope: "scene", key: "3", ...plain },
  { id: "scene_fit", scope: "scene", key: "0", ...plain },
  { id: "scene_follow", scope: "scene", key: "f", ...plain },
  { id: "scene_zoom_in", scope: "scene", key: "+", ...plain },
  { id: "scene_zoom_out", scope: "scene", key: "-", ...plain },
  { id: "mark_previous", scope: "timeline", key: "ArrowLeft", ...plain },
  { id: "mark_next", scope: "timeline", key: "ArrowRight", ...plain },
  { id: "mark_open", scope: "timeline", key: "Enter", ...plain },
  { id: "timeline_zoom_in", scope: "timeline", key: "+", ...plain },
  { id: "timeline_zoom_out", scope: "timeline", key: "-", ...plain },
  { id: "timeline_fit", scope: "timeline", key: "0", ...plain },
  { id: "timeline_pan_back", scope: "timeline", key: "ArrowLeft", ctrl: false, shift: true },
  { id: "timeline_pan_on", scope: "timeline", key: "ArrowRight", ctrl: false, shift: true },
  { id: "mission_link", scope: "mission", key: "l", ...plain },
  { id: "mission_unlink", scope: "mission", key: "l", ctrl: false, shift: true },
  { id: "mission_new", scope: "mission", key: "n", ...plain },
  { id: "mission_remove", scope: "mission", key: "Delete", ...plain },
  { id: "mission_tidy", scope: "mission", key: "t", ...plain },
  { id: "mission_undo", scope: "mission", key: "z", ...ctrl },
  { id: "mission_redo", scope: "mission", key: "y", ...ctrl },
];

/** The scopes of which one can lie in another: a key of both would do two things. */
const NESTED: readonly (readonly [Scope, Scope])[] = [
  ["card", "scene"],
  ["form", "scene"],
  ["form", "mission"],
];

/** True if one press could mean an action of either scope. A local key comes before the second key of a pair. */
export function overlap(one: Scope, other: Scope): boolean {
  const pair = new Set([one, other]);
  if (pair.size === 1 || pair.has("anywhere")) return true;
  if (pair.has("after_g")) return false;
  return pair.has("outside_text") || NESTED.some((nested) => nested.every((scope) => pair.has(scope)));
}

/** The row of an action. */
export function shortcutOf(id: ShortcutId): Shortcut {
  const found = SHORTCUTS.find((shortcut) => shortcut.id === id);
  if (found === undefined) throw new Error(`no shortcut is called ${id}`);
  return found;
}

/** True for the keys of STOP ALL. */
export function isStopKey(id: ShortcutId): id is StopKey {
  return STOP_KEYS.some((stop) => stop === id);
}
