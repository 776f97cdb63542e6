// The way through the conversation by keys: arrows between entries, Enter opens one (U-912).

import type { KeyboardEvent } from "react";

/** Selector of the list's rows. */
const ROW = "[data-row]";

/**
 * Moves the focus between the rows of the list that the event came through, or opens what folds in the row it is on.
 */
export function goThroughEntries(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: list } = event;
  // Keys in a field or on a button of a row are its own.
  if (!(target instanceof HTMLElement) || (target !== list && !target.matches(ROW))) return;
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)];
  const here = rows.indexOf(target);
  const next =
    event.key === "ArrowDown"
      ? rows[here + 1]
      : event.key === "ArrowUp"
        ? rows[here < 0 ? rows.length - 1 : here - 1]
        : undefined;
  const fold = event.key === "Enter" ? target.querySelector("details") : null;
  if (fold) fold.open = !fold.open;
  else if (next) next.focus();
  else return;
  event.preventDefault();
}
