// State of a mission, human-readable, and the actions of a person in it.

import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionRow } from "../../generated/bindings/MissionRow";
import type { MissionState } from "../../generated/bindings/MissionState";
import type { MissionStatus } from "../../generated/bindings/MissionStatus";
import { t } from "../../locales/i18n";

/** Filters of the list. */
export type MissionFilter = "open" | "draft" | "ended";

/** Actions of a person; an answer is one to what the mission asks. */
export type MissionAct = "activate_mission" | "pause_mission" | "resume_mission" | MissionAnswer | FinalAct;

/** Answers to what a mission asks: before it goes live, and about a goal that has no clear end. */
export type MissionAnswer = "start" | "check_again" | "repeat_step" | "step_done" | "step_failed" | "continue";

const ANSWERS: readonly MissionAnswer[] = [
  "start",
  "check_again",
  "repeat_step",
  "step_done",
  "step_failed",
  "continue",
];

/** Actions that end a mission for good, so that each is asked once. */
export type FinalAct = "complete_mission" | "cancel_mission";

/** A mission as far as its place counts. */
export type Standing = Pick<MissionDetail, "status" | "flags" | "answers" | "envelope">;

const GROUPS: Record<MissionStatus, MissionFilter> = {
  draft: "draft",
  active: "open",
  paused: "open",
  completed: "ended",
  failed: "ended",
  cancelled: "ended",
};

/** The group a mission is listed in. */
export function groupOf({ status }: Pick<MissionRow, "status">): MissionFilter {
  return GROUPS[status];
}

/** A state, or a status, of a mission, human-readable. */
export function wordOf(state: MissionState | MissionStatus): string {
  return t(`mission_state.${state}`);
}

/** True if an action is final. */
export function isFinal(act: MissionAct): act is FinalAct {
  return act === "complete_mission" || act === "cancel_mission";
}

/** The acts that fit, the likeliest first. The station decides again. */
export function actsOf({ status, flags, answers, envelope = [] }: Standing): readonly MissionAct[] {
  // What ended with a pause is granted anew by another activation of the same text.
  const grants = status === "active" && envelope.length > 0;
  const changed: readonly MissionAct[] = flags.includes("draft") || grants ? ["activate_mission"] : [];
  switch (status) {
    case "draft":
      return ["activate_mission"];
    case "active":
      return [
        ...ANSWERS.filter((answer) => answers.includes(answer)),
        "pause_mission",
        ...changed,
        "complete_mission",
        "cancel_mission",
      ];
    case "paused":
      return ["resume_mission", ...changed, "complete_mission", "cancel_mission"];
    case "completed":
    case "failed":
    case "cancelled":
      return ["activate_mission"];
  }
}
