// Meaning of a proposal's state for the operator.

import type { Proposal } from "../../generated/bindings/Proposal";
import type { ProposalState } from "../../generated/bindings/ProposalState";

/** True while the proposal waits for a decision. */
export function isOpen(state: ProposalState): boolean {
  switch (state) {
    case "waiting":
    case "recheck":
      return true;
    case "rejected":
    case "expired":
    case "voided":
    case "approved":
    case "dispatched":
    case "received":
    case "running":
    case "done":
    case "done_not_confirmed":
    case "failed":
    case "unknown":
      return false;
  }
}

const TIER_ORDER: Record<Proposal["tier"], number> = { high: 0, medium: 1, low: 2 };

/** By tier, then by time left (U-1201). */
export function inQueueOrder(proposals: readonly Proposal[]): Proposal[] {
  return proposals.toSorted(
    (a, b) =>
      TIER_ORDER[a.tier] - TIER_ORDER[b.tier] || a.expires_mono_ms - b.expires_mono_ms || a.id.localeCompare(b.id),
  );
}

/** The verb and object of the approving button. */
export function actionOf(proposal: Proposal): { verb: "move" | "run"; object: string } {
  if (proposal.operation === "send_command" && proposal.robot !== null) return { verb: "move", object: proposal.robot };
  return { verb: "run", object: proposal.operation };
}
