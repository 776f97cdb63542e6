// An act that asks once more before it is done: the question takes the place of the button that asked.

import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** The button that asks, and the one that gives the question up. */
export type AskedFocus = {
  asks: RefObject<HTMLButtonElement | null>;
  givesUp: RefObject<HTMLButtonElement | null>;
};

/** Keeps the focus in its place when the button that asks makes way for the question, and when that is given up. */
export function useAskedFocus(asked: boolean): AskedFocus {
  const asks = useRef<HTMLButtonElement>(null);
  const givesUp = useRef<HTMLButtonElement>(null);
  const before = useRef(asked);

  // Synchronises with the focus of the window, which went away with the button that was pressed. Before a question that
  // gives way to this one could take it back to its own button.
  useLayoutEffect(() => {
    // Not on the act itself: an Enter that is held down would carry it out.
    if (asked && !before.current && document.activeElement === document.body) givesUp.current?.focus();
  }, [asked]);

  // Synchronises with the focus of the window, which went away with the question.
  useEffect(() => {
    if (before.current === asked) return;
    before.current = asked;
    if (!asked && document.activeElement === document.body) asks.current?.focus();
  }, [asked]);

  return { asks, givesUp };
}

export type Asked = AskedFocus & {
  asked: boolean;
  ask: () => void;
  giveUp: () => void;
  /** For the buttons of the question: Escape gives it up. */
  onKeyDown: (event: KeyboardEvent) => void;
  /** For the button of the act. */
  onConfirm: (act: () => void) => (event: MouseEvent) => void;
};

/** `onGiveUp` drops what a refusal has left. */
export function useAsked(onGiveUp: () => void): Asked {
  const [asked, setAsked] = useState(false);
  const focus = useAskedFocus(asked);
  const giveUp = () => {
    setAsked(false);
    onGiveUp();
  };
  return {
    ...focus,
    asked,
    ask: () => setAsked(true),
    giveUp,
    onKeyDown: (event) => {
      if (event.key !== "Escape") return;
      // It closes the question, and nothing around it.
      event.stopPropagation();
      giveUp();
    },
    onConfirm: (act) => (event) => {
      // The second half of a double click on the button that asks is no answer.
      if (event.detail <= 1) act();
    },
  };
}
