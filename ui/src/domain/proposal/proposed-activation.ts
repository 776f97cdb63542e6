// An activation that an agent proposes, held against the text that the mission's file has now.

import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { Role } from "../../generated/bindings/Role";
import { t } from "../../locales/i18n";

/** The call of an activation, as the card keeps it. */
export type WantedActivation = {
  mission_id: string;
  hash: string;
  /** True of a warning that it accepts. */
  accepts: (code: string, line: number) => boolean;
  /** Standing approvals that it grants, by their numbers from 1. */
  grant: readonly number[];
  reason: string;
};

/** The activation that a card asks for; null if it asks for something else. */
export function wantedActivation({ operation, input }: Proposal): WantedActivation | null {
  if (operation !== "activate_mission" || !isRecord(input)) return null;
  const { mission_id, hash, accept, grant, reason } = input;
  if (typeof mission_id !== "string" || typeof hash !== "string") return null;
  const accepted = Array.isArray(accept) ? accept.filter(isRecord) : [];
  return {
    mission_id,
    hash,
    accepts: (code, line) => accepted.some((one) => one["code"] === code && one["line"] === line),
    grant: Array.isArray(grant) ? grant.filter((number) => typeof number === "number") : [],
    reason: typeof reason === "string" ? reason.trim() : "",
  };
}

/** The warnings of a mission's file. */
export function warningsOf({ problems }: MissionDetail) {
  return problems.filter(({ severity }) => severity === "warning");
}

/** The sentence that says why the station would refuse the activation as it is asked for; null if it would not. */
export function activationRefusal(wanted: WantedActivation, mission: MissionDetail, role: Role | undefined) {
  if (mission.hash !== wanted.hash) return t("activation_card.other_text");
  if (mission.problems.some(({ severity }) => severity === "error")) return t("missions.has_errors");
  if (mission.role_needed === "admin" && role !== "admin") return t("missions.needs_admin");
  const open = warningsOf(mission).filter(({ code, line }) => !wanted.accepts(code, line));
  if (open.length > 0) return t("missions.accept_open", { count: open.length });
  return mission.reason_needed && wanted.reason === "" ? t("missions.needs_reason") : null;
}

/** Everything on the card that an approval lets happen, as one text: a change of it shuts the button for a moment. */
export function shownOf({ hash, changes, problems, envelope = [], dry_run }: MissionDetail): string {
  const sentences = [...changes.map(({ sentence }) => sentence), ...problems.map(({ message }) => message)];
  return [hash, ...sentences, ...envelope, JSON.stringify(dry_run)].join("\n");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
