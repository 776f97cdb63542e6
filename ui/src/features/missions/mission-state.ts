// State of a mission, human-readable, and the actions of a person in it.

import type { MissionRow } from "../../generated/bindings/MissionRow";
import en from "../../locales/en.json";

/** Filters of the list. */
export type MissionFilter = "open" | "draft" | "ended";

/** Actions of a person. `start` and `check_again` answer the question of a mission before it goes live. */
export type MissionAct = "activate_mission" | "pause_mission" | "resume_mission" | "start" | "check_again" | FinalAct;

/** Actions that end a mission for good, so that each is asked once. */
export type FinalAct = "complete_mission" | "cancel_mission";

/** A row as far as its place counts. */
export type Standing = Pick<MissionRow, "status" | "state" | "flags">;

const ENDED: ReadonlySet<string> = new Set(["cancelled", "completed", "failed"]);

/** The group a mission is listed in. */
export function groupOf({ status }: Standing): MissionFilter {
  if (status === "draft") return "draft";
  return ENDED.has(status) ? "ended" : "open";
}

/** The word that tells most: what it is doing now, else what somebody has decided. */
export function standingOf({ status, state }: Pick<Standing, "status" | "state">): string {
  const word = state === "" ? status : state;
  const words: Record<string, string> = en.mission_state;
  return words[word] ?? word.replaceAll("_", " ");
}

/** True if an action is final. */
export function isFinal(act: MissionAct): act is FinalAct {
  return act === "complete_mission" || act === "cancel_mission";
}

/** The acts that fit, the likeliest first. The station decides again. */
export function actsOf({ status, flags }: Standing): readonly MissionAct[] {
  const changed: readonly MissionAct[] = flags.includes("draft") ? ["activate_mission"] : [];
  switch (status) {
    case "draft":
      return ["activate_mission"];
    case "active":
      return [
        ...(flags.includes("asks") ? (["start", "check_again"] as const) : []),
        "pause_mission",
        ...changed,
        "complete_mission",
        "cancel_mission",
      ];
    case "paused":
      return ["resume_mission", ...changed, "complete_mission", "cancel_mission"];
    default:
      return ENDED.has(status) ? ["activate_mission"] : [];
  }
}
