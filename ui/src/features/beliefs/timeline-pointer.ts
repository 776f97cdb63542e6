// The pointer on a timeline: a drag moves it, the wheel zooms it.

import { type PointerEvent, useEffect, useRef } from "react";

/** A drag with the pointer, as shares of the width. A click stays a click. */
export function useDrag(onMove: (share: number) => void, width_px: number) {
  const last_px = useRef<number | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0) last_px.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (last_px.current === null || event.buttons === 0) return;
      onMove((event.clientX - last_px.current) / width_px);
      last_px.current = event.clientX;
    },
    onPointerUp: () => (last_px.current = null),
    onPointerLeave: () => (last_px.current = null),
  };
}

/** The wheel over an element: notches, and where along its width. The page must not scroll meanwhile. */
export function useWheel(onTurn: (notches: number, share: number) => void) {
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
      const box = turned.getBoundingClientRect();
      newest.current(Math.sign(event.deltaY), (event.clientX - box.left) / box.width);
    };
    turned?.addEventListener("wheel", onWheel, { passive: false });
    return () => turned?.removeEventListener("wheel", onWheel);
  }, []);
  return element;
}
