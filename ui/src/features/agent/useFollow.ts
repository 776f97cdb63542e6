// Keeps the end of a growing list in sight while its reader is there, and never moves it while they read further up
// (U-909).

import { type RefCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

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
 * message of the reader, goes there from wherever they are: who says something waits for the answer. A change of
 * `first`, the number of the oldest entry, to an older one keeps the place of who reads further up.
 */
export function useFollow(said: string | number | null, first: number | null = null): Follow {
  const scroller = useRef<HTMLElement | null>(null);
  const follows = useRef(true);
  const fromEnd_px = useRef(0);
  const oldest = useRef(first);
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

  // Synchronises with the scroll position: not every browser keeps the place when something grows above it.
  useLayoutEffect(() => {
    // Where the oldest is left out for a new one it is the end that grows, and the place stays by itself.
    const isOlder = first !== null && oldest.current !== null && first < oldest.current;
    oldest.current = first;
    if (!isOlder || follows.current || !scroller.current) return;
    scroller.current.scrollTop = scroller.current.scrollHeight - fromEnd_px.current;
  }, [first]);

  const frame: RefCallback<HTMLElement> = (element) => {
    scroller.current = element;
    if (!element) return;
    const note = () => {
      fromEnd_px.current = element.scrollHeight - element.scrollTop;
      follows.current = fromEnd_px.current - element.clientHeight < FOLLOW_PX;
      setAway(!follows.current);
    };
    // Passive: a listener that could stop the scrolling would hold it up.
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  };
  const content: RefCallback<HTMLElement> = (element) => {
    // A page without a layout, as in tests, has nothing to measure.
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd();
      else if (scroller.current) fromEnd_px.current = scroller.current.scrollHeight - scroller.current.scrollTop;
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
  return { frame, content, away, toEnd };
}
