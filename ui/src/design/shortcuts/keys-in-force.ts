// The keys of this desk: the table with what a person has changed, kept on this computer (U-1902).

import { useSyncExternalStore } from "react";
import { deskMemory } from "../../host/memory";
import { ariaOf, type Chord, isCharacter, type Keys, matches, printOf, shiftedLetters } from "./chords";
import { type ChordsById, refusalOf, stopKeyOf, takenBy } from "./key-rules";
import { isStopKey, type Scope, type ShortcutId, shortcutOf, SHORTCUTS, type StopKey } from "./shortcuts";

const KEPT = "quarterdeck.shortcuts";
/** Only other windows hear that storage has changed; this event is for the own one. */
const CHANGED = "quarterdeck-shortcuts";
const EVENTS = [CHANGED, "storage"] as const;

/** The keys in force. `characters` is false where keys that write are switched off. */
export type KeysInForce = { characters: boolean; chords: ChordsById; shifted: ReadonlySet<string> };

let read: KeysInForce | null = null;

/** The keys in force now. */
export function keysInForce(): KeysInForce {
  read ??= readKeys(deskMemory.read(KEPT));
  return read;
}

/** The keys of a kept text. What is not a key, is not to be had or means two things is as in the table. */
export function readKeys(text: string | null): KeysInForce {
  const kept = parsed(text);
  const chosen = recordOf(kept["keys"]);
  const chords = new Map<ShortcutId, Chord>(SHORTCUTS.map(({ id, key, ctrl, shift }) => [id, { key, ctrl, shift }]));
  for (const { id, scope } of SHORTCUTS) {
    const chord = chordIn(chosen[id]);
    if (chord && !isStopKey(id) && refusalOf(scope, chord) === null) chords.set(id, chord);
  }
  for (let clash = clashing(chords); clash.length > 0; clash = clashing(chords))
    for (const id of clash) chords.set(id, tableChord(id));
  return { characters: kept["characters"] !== false, chords, shifted: shiftedLetters([...chords.values()]) };
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text ?? "{}"));
  } catch {
    // Changed by hand, or of another version: the table holds.
    return {};
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function chordIn(value: unknown): Chord | null {
  const { key, ctrl, shift } = recordOf(value);
  if (typeof key !== "string" || key === "" || typeof ctrl !== "boolean" || typeof shift !== "boolean") return null;
  return { key, ctrl, shift };
}

/** The actions with a key of their own choosing that means something else too. */
function clashing(chords: ChordsById): ShortcutId[] {
  return [...chords]
    .filter(([id, chord]) => isChanged(id, chord) && takenBy(id, chord, chords).length > 0)
    .map(([id]) => id);
}

/** The chord that an action has at first. */
export function tableChord(id: ShortcutId): Chord {
  const { key, ctrl, shift } = shortcutOf(id);
  return { key, ctrl, shift };
}

/** True if the chord is not that of the table. */
export function isChanged(id: ShortcutId, chord: Chord): boolean {
  const { key, ctrl, shift } = shortcutOf(id);
  return key !== chord.key || ctrl !== chord.ctrl || shift !== chord.shift;
}

/** Keeps other keys, or whether keys that write act. */
export function keepKeys({ characters, chords }: Pick<KeysInForce, "characters" | "chords">): void {
  const changed = [...chords].filter(([id, chord]) => isChanged(id, chord));
  const isTable = characters && changed.length === 0;
  deskMemory.write(KEPT, isTable ? null : JSON.stringify({ characters, keys: Object.fromEntries(changed) }));
  read = null;
  dispatchEvent(new Event(CHANGED));
}

/** The keys in force, anew after they were changed here or in another window. */
export function useKeysInForce(): KeysInForce {
  return useSyncExternalStore(onChange, keysInForce);
}

function onChange(changed: () => void): () => void {
  const readAndTell = () => {
    read = null;
    changed();
  };
  for (const event of EVENTS) addEventListener(event, readAndTell);
  return () => {
    for (const event of EVENTS) removeEventListener(event, readAndTell);
  };
}

/** The shortcut of a scope that an event is, if any. A key of STOP ALL is never another one. */
export function findShortcut(event: Keys, ...scopes: readonly Scope[]): ShortcutId | null {
  const stop = stopKeyOf(event);
  if (stop !== null) return scopes.includes("anywhere") ? stop : null;
  const { characters, chords, shifted } = keysInForce();
  const found = SHORTCUTS.find(({ id, scope }) => {
    const chord = chords.get(id);
    return chord && scopes.includes(scope) && (characters || !isCharacter(chord)) && matches(chord, event, shifted);
  });
  return found?.id ?? null;
}

/** Text of a key of STOP ALL. It reads the table alone. */
export function stopHint(id: StopKey): string {
  const print = printOf(shortcutOf(id));
  return id === "stop_all_f12" ? `${print} ${print}` : print;
}

/** Print of an action's key, or of the two it is made of: in force, or as in the table. A key that is off has one too. */
export function printOfKey(id: ShortcutId, keys: KeysInForce | null): string {
  if (isStopKey(id)) return stopHint(id);
  const print = (one: ShortcutId) => printOf(keys?.chords.get(one) ?? tableChord(one));
  return shortcutOf(id).scope === "after_g" ? `${print("begin_go")} ${print(id)}` : print(id);
}

/** The keys as controls show them. All are empty for a key that is switched off. */
export type Hints = {
  /** As printed on the keys. */
  of: (id: ShortcutId) => string;
  /** For a `title`: none for a key that is switched off. */
  title: (id: ShortcutId) => string | undefined;
  /** A text with the keys in brackets after it. */
  beside: (text: string, id: ShortcutId) => string;
  /** For `aria-keyshortcuts`. */
  aria: (id: ShortcutId) => string | undefined;
};

/** The keys in force as controls show them. */
export function useHints(): Hints {
  return hintsOf(useKeysInForce());
}

function hintsOf(keys: KeysInForce): Hints {
  const chordOf = (id: ShortcutId) => {
    const chord = keys.chords.get(id) ?? tableChord(id);
    return keys.characters || !isCharacter(chord) ? chord : null;
  };
  const isOff = (id: ShortcutId) => chordOf(id) === null;
  const of = (id: ShortcutId) => {
    const pair = shortcutOf(id).scope === "after_g";
    return isOff(id) || (pair && isOff("begin_go")) ? "" : printOfKey(id, keys);
  };
  const title = (id: ShortcutId) => of(id) || undefined;
  return {
    of,
    title,
    beside: (text, id) => (of(id) === "" ? text : `${text} (${of(id)})`),
    aria: (id) => {
      const chord = chordOf(id);
      return chord === null || shortcutOf(id).scope === "after_g" ? undefined : ariaOf(chord);
    },
  };
}
