// Records of the audit in an operator's words. Compiled in, like everything that the stop shows.

import type { AuditRecord } from "../../generated/bindings/AuditRecord";

/** The fields that are put into words. */
export type Recorded = Pick<AuditRecord, "actor" | "operation" | "outcome" | "detail">;

/** The end of a motion, as the robot, or the station in its place, has reported it. */
const REPORTS: Readonly<Record<string, string>> = {
  done: "is done",
  done_not_confirmed: "is done, not confirmed",
  failed: "was cut short",
  superseded: "was replaced by a newer command",
  refused_by_robot: "was refused by the robot",
  unknown: "has an unknown outcome",
};

/** Steps of a fallback: when it begins, when it is acknowledged, and when it is not. */
const STEPS: Readonly<Record<string, Readonly<Record<string, (robot: string) => string>>>> = {
  stop_actuators: {
    begun: (robot) => `The station stopped ${robot} again`,
    done: (robot) => `${robot} acknowledged the stop`,
    failed: (robot) => `${robot} was not seen to stop`,
  },
  pause_all_missions: {
    begun: () => "The station is pausing all missions",
    done: () => "The station paused all missions",
    failed: () => "Missions could not be paused",
  },
  alert_agent: {
    begun: (robot) => `The station is telling the agent about ${robot}`,
    done: (robot) => `The agent was told about ${robot}`,
    failed: (robot) => `The agent could not be told about ${robot}`,
  },
  halt_and_wait: {
    begun: (robot) => `The station is latching ${robot}`,
    done: (robot) => `${robot} is latched until a person releases it`,
    failed: (robot) => `The latch of ${robot} is not on disk yet`,
  },
};

/** Whole sentences for records that no person made; null for the others, which read as an act and its actor. */
export function sentenceOf({ actor, operation, outcome, detail }: Recorded): string | null {
  if (operation === "report") {
    const report = REPORTS[outcome];
    return report === undefined ? null : `The motion of ${wordsOf(detail).get("robot") ?? actor} ${report}`;
  }
  if (operation !== "fallback") return null;
  const about = wordsOf(detail);
  const robot = about.get("robot") ?? "the robot";
  return STEPS[about.get("step") ?? ""]?.[outcome]?.(robot) ?? null;
}

/** An act and, where it did not just succeed, its outcome: "arm robot", "arm robot: stop latched". */
export function actOf({ operation, outcome }: Pick<Recorded, "operation" | "outcome">): string {
  return outcome === "ok" || outcome === "" ? inWords(operation) : `${inWords(operation)}: ${inWords(outcome)}`;
}

/** A code as words. */
export function inWords(code: string): string {
  return code.replaceAll("_", " ");
}

/** Words of the form `robot=arm-1`. */
export function wordsOf(detail: string): ReadonlyMap<string, string> {
  const pairs = detail.split(/\s+/).flatMap((word): [string, string][] => {
    const cut = word.indexOf("=");
    return cut > 0 ? [[word.slice(0, cut), word.slice(cut + 1)]] : [];
  });
  return new Map(pairs);
}
