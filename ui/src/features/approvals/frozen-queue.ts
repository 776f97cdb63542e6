// A queue that does not move under the hand.

import type { Proposal } from "../../bindings/Proposal";

/** Cards in the order they had when the hand came, and how many wait behind. Decided ones leave at once. */
export function freeze(open: readonly Proposal[], held: readonly string[] | null): { visible: readonly Proposal[]; behind: number } {
  if (!held) return { visible: open, behind: 0 };
  const visible = held.flatMap((id) => open.find((proposal) => proposal.id === id) ?? []);
  return { visible, behind: open.length - visible.length };
}
