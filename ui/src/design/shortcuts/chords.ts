// A key, alone or with Ctrl or Shift: read from an event, compared, and written down.

import { type Language, spoken } from "../../host/language";

/** A key as `KeyboardEvent.key` names it. A letter is a small one; a character that needs Shift already says so. */
export type Chord = { key: string; ctrl: boolean; shift: boolean };

/** Fields of a keyboard event that the matcher reads. */
export type Keys = Pick<KeyboardEvent, "key" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

const LETTER = /^\p{L}$/u;
/** Names of what a key is when it cannot be told apart, or only changes another one. */
const NO_KEYS: ReadonlySet<string> = new Set(["Dead", "Process", "Unidentified", "Compose"]);
const MODIFIERS: ReadonlySet<string> = new Set([
  "Control",
  "Shift",
  "Alt",
  "AltGraph",
  "Meta",
  "CapsLock",
  "NumLock",
  "Fn",
]);

/** True while only a key is held that changes others. */
export function isModifier({ key }: Keys): boolean {
  return MODIFIERS.has(key);
}

/** True for a key that an input method takes, or that has no name. */
export function isUnnamed({ key }: Keys): boolean {
  return NO_KEYS.has(key);
}

/** The chord of a press. */
export function chordFrom({ key, ctrlKey, shiftKey }: Keys): Chord {
  const letter = LETTER.test(key);
  const character = [...key].length === 1;
  return { key: letter ? key.toLowerCase() : key, ctrl: ctrlKey, shift: shiftKey && (letter || !character) };
}

/** True if both are one press. */
export function sameChord(one: Chord, other: Chord): boolean {
  return one.key === other.key && one.ctrl === other.ctrl && one.shift === other.shift;
}

/** True for a key that writes: pressed by chance, or by speech input, it would act (WCAG 2.1.4). */
export function isCharacter({ key, ctrl }: Chord): boolean {
  return !ctrl && [...key].length === 1;
}

/**
 * True if the event is this chord. A letter is meant with Shift or without only where `shifted` says that the other one
 * means something else.
 */
export function matches(chord: Chord, event: Keys, shifted: ReadonlySet<string>): boolean {
  const saysSo = [...chord.key].length === 1 && !shifted.has(chord.key);
  return (
    event.key.toLowerCase() === chord.key.toLowerCase() &&
    event.ctrlKey === chord.ctrl &&
    (saysSo || chord.shift === event.shiftKey) &&
    // AltGr comes as Ctrl+Alt: a German "@" must not be taken for a shortcut.
    !event.altKey &&
    !event.metaKey
  );
}

/** The letters that some chord of these has with Shift. */
export function shiftedLetters(chords: readonly Chord[]): ReadonlySet<string> {
  return new Set(chords.filter(({ key, shift }) => shift && LETTER.test(key)).map(({ key }) => key));
}

/** Keys whose print differs from their name. */
const PRINTS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  PageUp: "PgUp",
  PageDown: "PgDn",
  Delete: "Del",
  Insert: "Ins",
  "-": "−",
};

/** Names that keys bear on keyboards of the window's language; STOP ALL shows one, so they are compiled in. */
const CAPS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {},
  de: {
    Ctrl: "Strg",
    Shift: "Umschalt",
    Enter: "Eingabe",
    Backspace: "Rücktaste",
    Home: "Pos1",
    End: "Ende",
    Del: "Entf",
    Ins: "Einfg",
    PgUp: "Bild auf",
    PgDn: "Bild ab",
  },
};

/** A chord as it is printed on the keys. */
export function printOf({ key, ctrl, shift }: Chord): string {
  const print = PRINTS[key] ?? (LETTER.test(key) ? key.toUpperCase() : key);
  const caps = spoken(CAPS);
  return [...(ctrl ? ["Ctrl"] : []), ...(shift ? ["Shift"] : []), print].map((cap) => caps[cap] ?? cap).join("+");
}

/** A chord as `aria-keyshortcuts` writes it, which is the same in every language. */
export function ariaOf({ key, ctrl, shift }: Chord): string {
  const name = key === "+" ? "Plus" : key;
  return [...(ctrl ? ["Control"] : []), ...(shift ? ["Shift"] : []), name].join("+");
}
