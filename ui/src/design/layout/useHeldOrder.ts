// Holds the order of a list's rows as long as the pointer or the focus is in it: what would act on one robot must not
// become the control of another under the hand.

import { type FocusEvent, useEffect, useRef, useState } from "react";
import { type HeldRow, holdOrder } from "./held-order";

/** For the element around the rows. */
export type HoldHandlers = {
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  onBlur: (event: FocusEvent<HTMLElement>) => void;
};

/** The rows in their places, how many wait behind, and how to let them in at once. */
export type HeldOrder<Row> = {
  rows: readonly HeldRow<Row>[];
  behind: number;
  letIn: () => void;
  handlers: HoldHandlers;
};

type Hand<Row> = { pointer: boolean; focus: boolean; held: readonly Row[] | null };

/** `rows` in the order of the station, except under the hand. */
export function useHeldOrder<Row>(rows: readonly Row[], idOf: (row: Row) => string): HeldOrder<Row> {
  const [hand, setHand] = useState<Hand<Row>>({ pointer: false, focus: false, held: null });
  const list = useRef<HTMLElement | null>(null);
  const { held } = hand;
  const move = (change: Partial<Hand<Row>>) =>
    // From the newest state: a touch brings pointer and focus before anything is drawn.
    setHand((before) => {
      const next = { ...before, ...change };
      return { ...next, held: next.pointer || next.focus ? (before.held ?? rows) : null };
    });

  // Synchronises with the focus: a control that is taken away while it has it tells nobody.
  useEffect(() => {
    if (hand.focus && list.current !== null && !list.current.contains(document.activeElement)) move({ focus: false });
  });

  return {
    ...holdOrder(rows, held, idOf),
    letIn: () => setHand((before) => ({ ...before, held: before.held === null ? null : rows })),
    handlers: {
      onPointerEnter: () => move({ pointer: true }),
      onPointerLeave: () => move({ pointer: false }),
      onFocus: ({ currentTarget }) => {
        list.current = currentTarget;
        move({ focus: true });
      },
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) move({ focus: false });
      },
    },
  };
}
