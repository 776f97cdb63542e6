// Shuts a control that has just become another one under the hand.

import { useEffect, useState } from "react";
import { GUARD_MS } from "./hold";

/**
 * True for 600 ms after the control has become another act: the second press of a double press was meant for the act
 * before. `act` names what the control does; the first one is not waited for.
 */
export function useTurned(act: string): boolean {
  const [settled, setSettled] = useState(act);

  // Synchronises with the clock: the hand has had time to see the other act.
  useEffect(() => {
    if (settled === act) return;
    const timer = setTimeout(() => setSettled(act), GUARD_MS);
    return () => clearTimeout(timer);
  }, [act, settled]);

  return settled !== act;
}
