// A list whose entries are moved by dragging their handle, or by the arrow keys on it.

import { type DragEvent, type KeyboardEvent, useState } from "react";

type Reorder = { count: number; disabled: boolean; onMove: (from: number, to: number) => void };

/** Handlers of the entry at `at`, which is a child of its list, and of its handle, which is a child of the entry. */
export function useReorder({ count, disabled, onMove }: Reorder) {
  const [dragged, setDragged] = useState<number | null>(null);
  const move = (entry: HTMLElement | null, from: number, to: number) => {
    if (disabled || from === to || to < 0 || to >= count) return;
    onMove(from, to);
    entry?.parentElement?.querySelectorAll<HTMLElement>(":scope > li > [data-handle]")[to]?.focus();
  };
  const entry = (at: number) => ({
    "data-dragged": dragged === at,
    // A browser allows a drop only where dragover is cancelled.
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent<HTMLElement>) => {
      if (dragged === null) return;
      // A field under the pointer would take the number of the entry as a text that is dropped on it.
      event.preventDefault();
      move(event.currentTarget, dragged, at);
      setDragged(null);
    },
  });
  const handle = (at: number): HandleActs => ({
    disabled,
    onDragStart: (event) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", String(at));
      setDragged(at);
    },
    onDragEnd: () => setDragged(null),
    onKeyDown: (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      event.stopPropagation();
      move(event.currentTarget.parentElement, at, event.key === "ArrowUp" ? at - 1 : at + 1);
    },
  });
  return { entry, handle };
}

/** The answers of a handle. */
export type HandleActs = {
  disabled: boolean;
  onDragStart: (event: DragEvent) => void;
  onDragEnd: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
};
