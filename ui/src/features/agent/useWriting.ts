// A message while it is written: where its caret is, what it may be completed with, and what was said before.

import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Choice } from "./Menu";
import { nextPlace } from "./sent-words";
import { useChoices } from "./useChoices";

/** State and handlers of the field. A key handler answers whether the key was its own. */
export type Writing = {
  field: RefObject<HTMLTextAreaElement | null>;
  choices: readonly Choice[];
  chosen: number;
  pick: (choice: Choice) => void;
  onMenuKey: (key: string) => boolean;
  onRecallKey: (key: string) => boolean;
  onTyped: (text: string, caret: number) => void;
  onCaret: (caret: number) => void;
  /** Puts the menu away until something else is written. */
  close: () => void;
};

/** `sent` is what was said before, the newest first. */
export function useWriting(text: string, sent: readonly string[], onText: (text: string) => void): Writing {
  const { field, caret, setCaret, putCaret } = useCaret();
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const [place, setPlace] = useState(-1);
  const all = useChoices(text, caret);
  const choices = closedAt === text ? [] : all;
  const chosen = Math.min(active, choices.length - 1);

  const put = (next: { text: string; caret: number }) => {
    onText(next.text);
    putCaret(next.caret);
    setActive(0);
    setClosedAt(next.text);
  };
  const onMenuKey = (key: string): boolean => {
    const choice = choices[chosen];
    if (choice === undefined) return false;
    if (key === "ArrowDown") setActive((chosen + 1) % choices.length);
    else if (key === "ArrowUp") setActive((chosen + choices.length - 1) % choices.length);
    else if (key === "Escape") setClosedAt(text);
    // Enter on what is written out already sends it.
    else if (key === "Tab" || (key === "Enter" && choice.put.text.trim() !== text.trim())) put(choice.put);
    else return false;
    return true;
  };
  const onRecallKey = (key: string): boolean => {
    // Where the field holds other words than were recalled, it was emptied or written in, here or from elsewhere.
    const here = text === sent[place] ? place : -1;
    const next =
      key === "ArrowUp"
        ? nextPlace(here, 1, sent.length)
        : key === "ArrowDown"
          ? nextPlace(here, -1, sent.length)
          : undefined;
    // An unfinished message is not put away for an earlier one.
    if (next === undefined || (here < 0 && text !== "")) return false;
    const words = sent[next] ?? "";
    setPlace(next);
    put({ text: words, caret: words.length });
    return true;
  };
  const onTyped = (typed: string, at: number) => {
    setPlace(-1);
    setActive(0);
    setCaret(at);
    onText(typed);
  };
  return {
    field,
    choices,
    chosen,
    pick: (choice) => put(choice.put),
    onMenuKey,
    onRecallKey,
    onTyped,
    onCaret: setCaret,
    close: () => setClosedAt(text),
  };
}

function useCaret() {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [moved, setMoved] = useState<number | null>(null);

  // Synchronises with the caret: the browser puts it behind a text that a program has written.
  useLayoutEffect(() => {
    if (moved === null) return;
    field.current?.setSelectionRange(moved, moved);
    setMoved(null);
  }, [moved]);

  const putCaret = (at: number) => {
    setCaret(at);
    setMoved(at);
  };
  return { field, caret, setCaret, putCaret };
}
