// What the station says of its audit, in the window's language: why it is not signed, and what is wrong with a record.

import type { AuditCheck } from "../../generated/bindings/AuditCheck";
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
