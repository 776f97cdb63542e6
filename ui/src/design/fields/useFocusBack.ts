// Keeps the focus in the window when a control goes away with what it was about.

import { type RefObject, useLayoutEffect, useRef } from "react";

/** Calls `onGone` if `part` is taken away while the focus is in it: a fact from the station can do that at any time. */
export function useFocusBack(part: RefObject<HTMLElement | null>, onGone: () => void): void {
  const newest = useRef(onGone);

  // Synchronises with the focus of the window: once the element is gone nobody can tell that the focus was in it.
  useLayoutEffect(() => {
    newest.current = onGone;
  }, [onGone]);
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      if (element?.contains(document.activeElement)) newest.current();
    };
  }, [part]);
}
