// Windowing of a long table: only the rows on screen are made.

import { observeElementRect, useVirtualizer } from "@tanstack/react-virtual";
import { type RefCallback, useState } from "react";

/** The height of a row (`--row`). A row that is higher only makes the window a little larger than needed. */
export const ROW_PX = 32;
/** Rows made above and below what is in sight, so that scrolling shows no gap. */
const OVERSCAN = 12;
/** The window before anything has been measured: 40 rows. */
const FIRST = { width: 0, height: 40 * ROW_PX };

/** `before_px` and `after_px` stand in for the rows that are not made. */
export type RowWindow = {
  scroller: RefCallback<HTMLElement>;
  from: number;
  to: number;
  before_px: number;
  after_px: number;
  /** Scrolls to a row, which is made with one of the next renderings; false while there is nothing to scroll. */
  show: (index: number) => boolean;
};

/** The window of a table of `count` rows in the element that `scroller` is given to. */
export function useRowWindow(count: number): RowWindow {
  const [element, setElement] = useState<HTMLElement | null>(null);
  // oxlint-disable-next-line react/incompatible-library -- what it answers is read here, and only values leave this hook
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => element,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    initialRect: FIRST,
    // A table that has no height yet would have no rows, and so never get one.
    observeElementRect: (instance, report) =>
      observeElementRect(instance, (rect) => report(rect.height === 0 ? FIRST : rect)),
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  return {
    scroller: setElement,
    from: first?.index ?? 0,
    to: last === undefined ? 0 : last.index + 1,
    before_px: first?.start ?? 0,
    after_px: last === undefined ? 0 : virtualizer.getTotalSize() - last.end,
    show: (index) => {
      if (element) element.scrollTop = scrollTo(index, element);
      return element !== null;
    },
  };
}

/** The nearest place of the scroller at which a row is in sight. */
function scrollTo(index: number, { scrollTop, clientHeight }: HTMLElement): number {
  const top = index * ROW_PX;
  return Math.max(Math.min(scrollTop, top), top + ROW_PX - clientHeight);
}
