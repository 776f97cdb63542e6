// Where a mission stands, in words, and what a person can do about it there.

import { t } from "../../shared/i18n";
import type { MissionDetails } from "../../host/agent-wire";

/** What the list is filtered by. */
export type MissionFilter = "open" | "draft" | "ended";

/** What a person can do. */
export type MissionAct = "activate_mission" | "pause_mission" | "resume_mission" | "cancel_mission";

/** A row as far as its place counts. */
export type Standing = { status: string } & Pick<MissionDetails, "state">;

const ENDED: ReadonlySet<string> = new Set(["cancelled", "completed", "failed", "expired"]);

/** The group a mission is listed in. */
export function groupOf({ status }: Standing): MissionFilter {
  if (status === "draft") return "draft";
  return ENDED.has(status) ? "ended" : "open";
}

/** The word that tells most: what it is doing now, else what somebody has decided. */
export function standingOf({ status, state }: Standing): string {
  const word = state ?? status;
  const known: Record<string, string> = t("mission_state", { returnObjects: true });
  return known[word] ?? word.replaceAll("_", " ");
}

/** The acts that fit, the likeliest first. The station decides again. */
export function actsOf({ status }: Standing): readonly MissionAct[] {
  switch (status) {
    case "draft":
      return ["activate_mission"];
    case "active":
      return ["pause_mission", "cancel_mission"];
    case "paused":
      return ["resume_mission", "cancel_mission"];
    default:
      return ENDED.has(status) ? ["activate_mission"] : [];
  }
}
