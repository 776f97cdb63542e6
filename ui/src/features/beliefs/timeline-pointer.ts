// The pointer on a timeline: a drag moves it, the wheel zooms it.

import { type PointerEvent, useEffect, useRef } from "react";

/** A drag with the pointer, in pixels. A click stays a click. */
export function useDrag(onMove: (moved_px: number) => void) {
  const last_px = useRef<number | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0) last_px.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (last_px.current === null || event.buttons === 0) return;
      onMove(event.clientX - last_px.current);
      last_px.current = event.clientX;
    },
    onPointerUp: () => (last_px.current = null),
    onPointerLeave: () => (last_px.current = null),
  };
}

/** The wheel over an element: notches, and how far from its left. The page must not scroll meanwhile. */
export function useWheel(onTurn: (notches: number, at_px: number) => void) {
  const element = useRef<HTMLDivElement>(null);
  const newest = useRef(onTurn);

  // Synchronises with the wheel of the mouse: React's own listener could not keep the page from scrolling.
  useEffect(() => {
    newest.current = onTurn;
  });
  useEffect(() => {
    const turned = element.current;
    const onWheel = (event: WheelEvent) => {
      if (!turned || event.deltaY === 0) return;
      event.preventDefault();
      newest.current(Math.sign(event.deltaY), event.clientX - turned.getBoundingClientRect().left);
    };
    turned?.addEventListener("wheel", onWheel, { passive: false });
    return () => turned?.removeEventListener("wheel", onWheel);
  }, []);
  return element;
}
