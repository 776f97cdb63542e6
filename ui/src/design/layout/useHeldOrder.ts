// Holds the order of a list's rows as long as the pointer or the focus is in it: what would act on one robot must not
// become the control of another under the hand.

import { type FocusEvent, useState } from "react";
import { type HeldRow, holdOrder } from "./held-order";

/** For the element around the rows. */
export type HoldHandlers = {
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  onFocus: () => void;
  onBlur: (event: FocusEvent<HTMLElement>) => void;
};

/** The rows in their places, how many wait behind, and how to let them in at once. */
export type HeldOrder<Row> = {
  rows: readonly HeldRow<Row>[];
  behind: number;
  letIn: () => void;
  handlers: HoldHandlers;
};

type Hand = { pointer: boolean; focus: boolean };
const AWAY: Hand = { pointer: false, focus: false };

/** `rows` in the order of the station, except under the hand. */
export function useHeldOrder<Row>(rows: readonly Row[], idOf: (row: Row) => string): HeldOrder<Row> {
  const [hand, setHand] = useState<Hand>(AWAY);
  const [held, setHeld] = useState<readonly Row[] | null>(null);
  const move = (change: Partial<Hand>) => {
    const next = { ...hand, ...change };
    setHand(next);
    if (!next.pointer && !next.focus) setHeld(null);
    else if (held === null) setHeld(rows);
  };
  return {
    ...holdOrder(rows, held, idOf),
    letIn: () => setHeld(held === null ? null : rows),
    handlers: {
      onPointerEnter: () => move({ pointer: true }),
      onPointerLeave: () => move({ pointer: false }),
      onFocus: () => move({ focus: true }),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) move({ focus: false });
      },
    },
  };
}
