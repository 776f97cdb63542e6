// The reason why the audit is not signed, in the window's language.

import type { AuditSigning } from "../../generated/bindings/AuditSigning";
import { t } from "../../locales/i18n";
import { type Said, stationText } from "../../locales/station-words";

/** The sentence, with the station's own where that says more. */
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
