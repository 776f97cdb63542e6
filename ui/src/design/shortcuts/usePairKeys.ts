// Keys of two presses: the second one belongs to the pair wherever the focus is.

import { useEffect, useRef } from "react";
import { isCharacter, isModifier, chordFrom } from "./chords";
import { findShortcut } from "./keys-in-force";
import type { ShortcutId } from "./shortcuts";

/** The second key of a pair comes within this time. */
const PAIR_MS = 1_500;

/** Actions of second keys, by shortcut. */
export type PairActs = Partial<Record<ShortcutId, () => void>>;

/**
 * Binds the second keys of `acts`. Once a pair has begun, the next key that writes means the pair or nothing: it never
 * reaches what has the focus, where the same key may command a robot or acknowledge an alarm.
 */
export function usePairKeys(acts: PairActs): void {
  const began_ms = useRef(Number.NEGATIVE_INFINITY);

  // Synchronises with the keyboard of the window.
  useEffect(() => {
    const onSecond = (event: KeyboardEvent) => {
      // Shift or Ctrl alone is on the way to a key: it neither is the second one nor ends the pair.
      if (event.timeStamp - began_ms.current >= PAIR_MS || isModifier(event)) return;
      began_ms.current = Number.NEGATIVE_INFINITY;
      if (isWriting(event)) return;
      const shortcut = findShortcut(event, "after_g");
      if (shortcut === null && (!isCharacter(chordFrom(event)) || event.key === " ")) return;
      event.preventDefault();
      event.stopPropagation();
      if (shortcut !== null && !event.repeat) acts[shortcut]?.();
    };
    const onFirst = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isWriting(event)) return;
      if (findShortcut(event, "outside_text") === "begin_go") began_ms.current = event.timeStamp;
    };
    window.addEventListener("keydown", onSecond, { capture: true });
    window.addEventListener("keydown", onFirst);
    return () => {
      window.removeEventListener("keydown", onSecond, { capture: true });
      window.removeEventListener("keydown", onFirst);
    };
  });
}

/** True where a letter is text, or looks for an entry of an open list. */
export function isWriting(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.matches("input, textarea, select") ||
    target.isContentEditable ||
    target.closest("[role=listbox], [role=menu]") !== null
  );
}
