// The steps of setting a station up, ticked by what the station reports.

import type { AgentMode } from "../../generated/bindings/AgentMode";

/** The steps, in their order. */
export const STEPS = ["stop", "robots", "agent", "model"] as const;

/** A step of setting up. */
export type Step = (typeof STEPS)[number];

/** The station's reports. */
export type Reports = { accepted: boolean; robots: number; mode: AgentMode | null; has_model: boolean };

/** Steps that have been done. An agent that asks for everything has its mode from the start. */
export function stepsDone({ accepted, robots, mode, has_model }: Reports): ReadonlySet<Step> {
  const done: Record<Step, boolean> = { stop: accepted, robots: robots > 0, agent: mode !== null, model: has_model };
  return new Set(STEPS.filter((step) => done[step]));
}

/** The step that an address names; else the first that is to do, the optional ones aside. */
export function stepOf(part: string | undefined, done: ReadonlySet<Step>): Step {
  const named = STEPS.find((step) => step === part);
  return named ?? STEPS.find((step) => !done.has(step)) ?? "model";
}

/** The step after one; none after the last. */
export function stepAfter(step: Step): Step | null {
  return STEPS[STEPS.indexOf(step) + 1] ?? null;
}
