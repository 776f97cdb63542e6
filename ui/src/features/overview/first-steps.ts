// The first things to try with the simulator, ticked by what the station reports.

import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { VerdictRow } from "../../generated/bindings/VerdictRow";
import { isOpen } from "../../domain/proposal/proposal-state";

/** The steps in the order in which each makes the next possible. */
export const STEPS = ["see", "arm", "goal", "denial", "approve", "stop"] as const;

/** A step of the list. */
export type Step = (typeof STEPS)[number];

/** The station's reports. */
export type Reports = {
  live: boolean;
  armed: boolean;
  verdicts: readonly Pick<VerdictRow, "overall">[];
  proposals: readonly Pick<Proposal, "state">[];
  audit: readonly Pick<AuditRecord, "operation" | "outcome">[];
};

/** States of a proposal that a person did not approve. */
const NOT_APPROVED: ReadonlySet<Proposal["state"]> = new Set(["rejected", "expired", "voided"]);

/** Steps that have been done. */
export function stepsDone({ live, armed, verdicts, proposals, audit }: Reports): ReadonlySet<Step> {
  const approved = proposals.some(({ state }) => !isOpen(state) && !NOT_APPROVED.has(state));
  const did = (operation: string) => audit.some((record) => record.operation === operation && record.outcome === "ok");
  const done: Record<Step, boolean> = {
    see: live,
    arm: armed || did("arm_robot"),
    goal: verdicts.length + proposals.length > 0,
    denial: verdicts.some(({ overall }) => overall === "deny"),
    approve: approved,
    stop: did("release_stop"),
  };
  return new Set(STEPS.filter((step) => done[step]));
}
