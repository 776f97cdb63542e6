// The keys that an action may have: what belongs to STOP ALL, to the browser, to writing or to moving about is nobody's.

import { type Chord, isCharacter, type Keys, matches, sameChord } from "./chords";
import { isStopKey, overlap, type Scope, type ShortcutId, shortcutOf, SHORTCUTS, STOP_KEYS } from "./shortcuts";

/** The reason why a key cannot be had. */
export type KeyRefusal =
  | "stop"
  | "alt"
  | "unnamed"
  | "moving"
  | "writing"
  | "editing"
  | "browser"
  | "held"
  | "characters";

/** The chord of each action. */
export type ChordsById = ReadonlyMap<ShortcutId, Chord>;

/** The judgement on a key for an action. `swap` gives the other action the key that this one has now. */
export type KeyVerdict =
  | { kind: "free" }
  | { kind: "refused"; reason: KeyRefusal }
  | { kind: "taken"; by: readonly ShortcutId[]; swap: boolean };

const FUNCTION_KEY = /^F\d{1,2}$/;
const ARROWS: readonly string[] = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const PAGES: readonly string[] = ["PageUp", "PageDown", "Home", "End"];
const DELETING: readonly string[] = ["Backspace", "Delete"];
/** Keys that move the focus or the caret, press what has the focus, leave, or delete. */
const MOVING: ReadonlySet<string> = new Set([
  "Tab",
  "Escape",
  "Enter",
  " ",
  "ContextMenu",
  "Insert",
  ...ARROWS,
  ...PAGES,
  ...DELETING,
]);
/** Keys with Ctrl that edit text: in a local scope they copy what is marked. */
const COPYING: ReadonlySet<string> = new Set(["a", "c", "v", "x"]);
const UNDOING: ReadonlySet<string> = new Set(["z", "y"]);
/** Keys with Ctrl that browsers do not hand on, or that change the size of everything. */
const BROWSER: ReadonlySet<string> = new Set(["n", "t", "w", "q", "r", "l", "p", "+", "-", "=", "0"]);
const BROWSER_KEYS: ReadonlySet<string> = new Set(["F5", "F10", "F11"]);

/** The keys for moving and deleting that actions of a scope may have all the same. */
function ownKeys(scope: Scope): readonly string[] {
  switch (scope) {
    case "jog":
      return [...ARROWS, ...PAGES];
    case "timeline":
      return [...ARROWS, ...PAGES, "Enter"];
    case "mission":
      return DELETING;
    case "anywhere":
    case "scene":
    case "form":
    case "card":
    case "tile":
    case "alarm":
    case "outside_text":
    case "after_g":
      return [];
  }
}

/** True for the keys of STOP ALL, with Shift too. */
export function isOfStop({ key, ctrl }: Chord): boolean {
  return STOP_KEYS.map(shortcutOf).some((stop) => stop.key === key && (stop.ctrl === ctrl || FUNCTION_KEY.test(key)));
}

/** The key of STOP ALL that an event is. It reads the table alone: what a desk has chosen cannot change it. */
export function stopKeyOf(event: Keys): ShortcutId | null {
  return STOP_KEYS.find((id) => matches(shortcutOf(id), event, new Set())) ?? null;
}

/** The reason why no action of a scope can have this key, if any. */
export function refusalOf(scope: Scope, chord: Chord): KeyRefusal | null {
  const { key, ctrl, shift } = chord;
  if (isOfStop(chord)) return "stop";
  if (MOVING.has(key) && !(ownKeys(scope).includes(key) && !ctrl)) return "moving";
  if (BROWSER_KEYS.has(key) || (ctrl && BROWSER.has(key))) return "browser";
  if (scope === "anywhere" && !ctrl && !FUNCTION_KEY.test(key)) return "writing";
  if (ctrl && COPYING.has(key)) return "editing";
  if (ctrl && UNDOING.has(key) && scope !== "mission") return "editing";
  // A key that drives a robot while it is held must say so by itself when it is let go.
  if (scope === "jog" && (ctrl || shift)) return "held";
  return null;
}

/** Every other action that the key of `id` would also mean, if it were `chord`. */
export function takenBy(id: ShortcutId, chord: Chord, chords: ChordsById): ShortcutId[] {
  const { scope } = shortcutOf(id);
  return SHORTCUTS.filter(
    (other) => other.id !== id && overlap(scope, other.scope) && sameChord(chords.get(other.id) ?? other, chord),
  ).map((other) => other.id);
}

/** Judges a key for an action. `characters` is false where keys that write are switched off. */
export function judgeKey(id: ShortcutId, chord: Chord, chords: ChordsById, characters: boolean): KeyVerdict {
  const shortcut = shortcutOf(id);
  if (isStopKey(id)) return { kind: "refused", reason: "stop" };
  const reason = refusalOf(shortcut.scope, chord);
  if (reason !== null) return { kind: "refused", reason };
  if (!characters && isCharacter(chord)) return { kind: "refused", reason: "characters" };
  const by = takenBy(id, chord, chords);
  if (by.length === 0) return { kind: "free" };
  return { kind: "taken", by, swap: canSwap(id, by, chords) };
}

/** The chords after two actions have changed keys. */
export function swapped(id: ShortcutId, other: ShortcutId, chords: ChordsById): ChordsById {
  const [own, its] = [chords.get(id) ?? shortcutOf(id), chords.get(other) ?? shortcutOf(other)];
  return new Map(chords).set(id, its).set(other, own);
}

function canSwap(id: ShortcutId, by: readonly ShortcutId[], chords: ChordsById): boolean {
  const [other, ...more] = by;
  if (other === undefined || more.length > 0 || isStopKey(other)) return false;
  const own = chords.get(id) ?? shortcutOf(id);
  const after = swapped(id, other, chords);
  return refusalOf(shortcutOf(other).scope, own) === null && takenBy(other, own, after).length === 0;
}
