// Windowing of a long table: only the rows on screen are made.

import { defaultRangeExtractor, observeElementRect, useVirtualizer } from "@tanstack/react-virtual";
import { type RefCallback, useState } from "react";

/** The height of a row (`--row`). A row that is higher only makes the window a little larger than needed. */
export const ROW_PX = 32;
/** Rows made above and below what is in sight, so that scrolling shows no gap. */
const OVERSCAN = 12;
/** The window before anything has been measured: 40 rows. */
const FIRST = { width: 0, height: 40 * ROW_PX };

const NOWHERE = () => -1;

/** A row that is made, and the height of those before it that are not, down from the last one that is. */
export type MadeRow = { index: number; gap_px: number };

/** `before_px` and `after_px` stand in for the rows that are not made. */
export type RowWindow = {
  scroller: RefCallback<HTMLElement>;
  /** Rows that are made. With a row that is kept they may have a gap between them; without one they are `from` to `to`. */
  made: readonly MadeRow[];
  from: number;
  to: number;
  before_px: number;
  after_px: number;
  /** Scrolls to a row, which is made with one of the next renderings; false while there is nothing to scroll. */
  show: (index: number) => boolean;
};

/**
 * The window of a table of `count` rows in the element that `scroller` is given to. `indexOf` tells the row of the element
 * that has the focus: it is made wherever the window is, as it would lose the focus with its place in the page.
 */
export function useRowWindow(count: number, indexOf: (focused: Element) => number = NOWHERE): RowWindow {
  const [element, setElement] = useState<HTMLElement | null>(null);
  // oxlint-disable-next-line react/incompatible-library -- what it answers is read here, and only values leave this hook
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => element,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      const focused = document.activeElement;
      const kept = focused !== null && element?.contains(focused) === true ? indexOf(focused) : -1;
      if (kept < 0 || kept >= count || rows.includes(kept)) return rows;
      return [...rows, kept].toSorted((one, other) => one - other);
    },
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
    made: items.map(({ index, start }, at) => ({ index, gap_px: start - (items[at - 1]?.end ?? 0) })),
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
