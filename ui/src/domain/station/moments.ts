// Moments that a person looks back on: stops, denials, decisions and missions, from the audit.

import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { codeText, t } from "../../locales/i18n";
import { fieldsOf } from "../stop/record-words";

/** The kinds of moments. */
export type MarkKind = "stop" | "denial" | "approval" | "mission";

/** The fields of a record that make a moment. */
export type Recorded = Pick<AuditRecord, "at_wall" | "operation" | "outcome" | "detail">;

/** One moment: `at_ms` is Unix milliseconds, `path` its place in the window. */
export type Moment = { kind: MarkKind; at_ms: number; words: string; path: string };

/** Acts on missions that are moments. */
const MISSION_ACTS = [
  "activate_mission",
  "pause_mission",
  "resume_mission",
  "cancel_mission",
  "complete_mission",
] as const;

/** The moment that a record is; null if it is none. */
export function momentOf({ at_wall: at_ms, operation, outcome, detail }: Recorded): Moment | null {
  const about = fieldsOf(detail);
  const card = about.get("proposal");
  const mission = MISSION_ACTS.find((act) => act === operation);
  const number = about.get("stop_id") ?? "";
  if (operation === "stop") return { kind: "stop", at_ms, words: t("activity.stop", { number }), path: "/safety" };
  if (operation === "stop_release" && outcome === "closed")
    return { kind: "stop", at_ms, words: t("activity.released", { number }), path: "/safety" };
  if (operation === "verdict" && outcome !== "allow") {
    const reason = about.get("violated")?.split(",")[0];
    const words =
      reason === undefined ? t("activity.denied") : t("activity.denied_by", { limit: codeText("denied_for", reason) });
    const path = card === undefined ? placeIn("/safety", about.get("robot")) : placeIn("/approvals", card);
    return { kind: "denial", at_ms, words, path };
  }
  if (operation === "approval" && outcome === "ok")
    return { kind: "approval", at_ms, words: t("activity.approved"), path: placeIn("/approvals", about.get("id")) };
  if (operation === "proposal" && outcome === "rejected")
    return { kind: "denial", at_ms, words: t("activity.rejected"), path: placeIn("/approvals", about.get("id")) };
  if (mission !== undefined && outcome === "ok") {
    const id = about.get("mission_id");
    return {
      kind: "mission",
      at_ms,
      words: t(`activity.${mission}`, { id: id ?? "" }),
      path: placeIn("/missions", id),
    };
  }
  return null;
}

/** The place of one thing of a list. A record of an older station may not name it: the list is a place as well. */
function placeIn(list: string, id: string | undefined): string {
  return id === undefined ? list : `${list}/${encodeURIComponent(id)}`;
}
