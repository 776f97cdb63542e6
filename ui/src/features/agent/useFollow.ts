// Keeps the end of a growing list in sight while its reader is there, and never moves it while they read further up
// (U-909).

import { type RefCallback, useEffect, useRef, useState } from "react";

/** A reader this close to the end follows it. */
const FOLLOW_PX = 48;

/** `frame` scrolls, `content` grows. `away` tells whether the reader is further up. */
export type Follow = {
  frame: RefCallback<HTMLElement>;
  content: RefCallback<HTMLElement>;
  away: boolean;
  toEnd: () => void;
};

/**
 * Follows the end of the element given to `content`, inside the one given to `frame`. A change of `said`, the newest
 * message of the reader, goes there from wherever they are: who says something waits for the answer.
 */
export function useFollow(said: string | number | null): Follow {
  const scroller = useRef<HTMLElement | null>(null);
  const follows = useRef(true);
  const [away, setAway] = useState(false);
  const toEnd = () => {
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };

  // Synchronises with the scroll position.
  useEffect(() => {
    if (said === null || !scroller.current) return;
    follows.current = true;
    scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [said]);

  const frame: RefCallback<HTMLElement> = (element) => {
    scroller.current = element;
    if (!element) return;
    const note = () => {
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < FOLLOW_PX;
      setAway(!follows.current);
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  };
  const content: RefCallback<HTMLElement> = (element) => {
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd();
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
  return { frame, content, away, toEnd };
}
