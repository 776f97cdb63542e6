// Keeps the focus in the window when a form goes away with what it was about.

import { type RefObject, useLayoutEffect, useRef } from "react";

/** Calls `onGone` if `form` is taken away while the focus is in it: a fact from the station can do that at any time. */
export function useFocusBack(form: RefObject<HTMLFormElement | null>, onGone: () => void): void {
  const newest = useRef(onGone);

  // Synchronises with the focus of the window: once the element is gone nobody can tell that the focus was in it.
  useLayoutEffect(() => {
    newest.current = onGone;
  }, [onGone]);
  useLayoutEffect(() => {
    const element = form.current;
    return () => {
      if (element?.contains(document.activeElement)) newest.current();
    };
  }, [form]);
}
