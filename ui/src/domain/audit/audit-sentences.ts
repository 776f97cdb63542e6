// What the station says of its audit, in the window's language: why it is not signed, and what is wrong with a record.

import type { AuditCheck } from "../../generated/bindings/AuditCheck";
import type { AuditState } from "../../generated/bindings/AuditState";
import type { AuditSigning } from "../../generated/bindings/AuditSigning";
import { t } from "../../locales/i18n";
import { type Said, stationText } from "../../locales/station-words";

/** The reason why it is not signed, with the station's own sentence where that says more. */
export function unsignedSaid({
  unsigned_because,
  unsigned_kind,
}: Pick<AuditSigning, "unsigned_because" | "unsigned_kind">): Said {
  const sentence = unsigned_because ?? t("audit.no_reason");
  const text = unsigned_kind ? stationText("unsigned", unsigned_kind.code, unsigned_kind) : null;
  if (text === null) return { text: sentence, more: null };
  // The keychain's own words name what is wrong with it.
  return { text, more: unsigned_kind?.code === "keychain" || unsigned_kind?.code === "missing" ? sentence : null };
}

/** The fault of a record. */
export function faultText({ fault, fault_kind }: Pick<AuditCheck, "fault" | "fault_kind">): string {
  const text = fault_kind ? stationText("audit_fault", fault_kind.code, fault_kind) : null;
  return text ?? fault ?? t("audit.no_reason");
}

/** The differences of the audit from what was written, one for each of the station's sentences. */
export function differenceTexts({ found, found_kinds = [] }: Pick<AuditState, "found" | "found_kinds">): string[] {
  return found.map((sentence, at) => {
    const kind = found_kinds[at];
    if (kind === undefined) return sentence;
    const fault = kind.code === "broken" ? stationText("audit_fault", kind.fault.code, kind.fault) : null;
    return stationText("audit_difference", kind.code, kind.code === "broken" ? { ...kind, fault } : kind) ?? sentence;
  });
}
