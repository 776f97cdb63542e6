// Windowing of a long table: only the rows on screen are made.

import { type RefCallback, useState } from "react";

/** The height of a row (`--row`). A row that is higher only makes the window a little larger than needed. */
const ROW_PX = 32;
/** Rows made above and below what is in sight, so that scrolling shows no gap. */
const OVERSCAN = 12;
/** Rows made before anything has been measured. */
const ROWS_FIRST = 40;

/** `before_px` and `after_px` stand in for the rows that are not made. */
export type RowWindow = {
  scroller: RefCallback<HTMLElement>;
  from: number;
  to: number;
  before_px: number;
  after_px: number;
};

/** The window of a table of `count` rows in the element that `scroller` is given to. */
export function useRowWindow(count: number): RowWindow {
  const [view, setView] = useState({ top_px: 0, height_px: ROWS_FIRST * ROW_PX });
  const scroller: RefCallback<HTMLElement> = (element) => {
    if (!element) return;
    const measure = () => {
      const next = { top_px: element.scrollTop, height_px: element.clientHeight || ROWS_FIRST * ROW_PX };
      setView((now) => (now.top_px === next.top_px && now.height_px === next.height_px ? now : next));
    };
    const observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(measure);
    observer?.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer?.disconnect();
      element.removeEventListener("scroll", measure);
    };
  };
  const first = Math.min(Math.floor(view.top_px / ROW_PX), Math.max(0, count - 1));
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count, first + Math.ceil(view.height_px / ROW_PX) + OVERSCAN);
  return { scroller, from, to, before_px: from * ROW_PX, after_px: (count - to) * ROW_PX };
}
