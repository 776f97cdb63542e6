// The pointer on a timeline: a drag moves it, the wheel zooms it.

import { type PointerEvent, useEffect, useRef } from "react";
import type { Span } from "./belief-curve";
import { LEFT, RIGHT_MARGIN } from "./TimelinePlot";
import { ZOOM_STEP } from "./timeline-view";

type TimelinePointer = {
  span: Span;
  width_px: number;
  onPan: (secs: number) => void;
  onZoom: (factor: number, around: number) => void;
};

/** Handlers of a drag, and the element whose wheel zooms. The time under the pointer stays under it. */
export function usePointer({ span, width_px, onPan, onZoom }: TimelinePointer) {
  const length = span.to - span.from;
  // Time runs over the plot alone, and not under the names beside it.
  const plot_px = Math.max(1, width_px - LEFT - RIGHT_MARGIN);
  const dragged = useDrag((moved_px) => onPan((-moved_px / plot_px) * length));
  const wheel = useWheel((notches, at_px) => {
    const share = Math.min(Math.max((at_px - LEFT) / plot_px, 0), 1);
    onZoom(ZOOM_STEP ** -notches, span.from + share * length);
  });
  return { dragged, wheel };
}

/** A drag with the pointer, in pixels. A click stays a click. */
function useDrag(onMove: (moved_px: number) => void) {
  const last_px = useRef<number | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0) last_px.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      // No button: the press was let go outside the window, and nobody told of it.
      if (last_px.current === null || event.buttons === 0) return;
      onMove(event.clientX - last_px.current);
      last_px.current = event.clientX;
    },
    onPointerUp: () => (last_px.current = null),
    onPointerLeave: () => (last_px.current = null),
  };
}

/** The wheel over an element: notches, and how far from its left. The page must not scroll meanwhile. */
function useWheel(onTurn: (notches: number, at_px: number) => void) {
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
