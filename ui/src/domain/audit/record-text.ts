// Codes of audit records in the window's language: acts, outcomes and values of subjects.

import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { codeText } from "../../locales/i18n";
import { stationText } from "../../locales/station-words";

/** The act of a record: `hold_robot` as "Hold robot". */
export function actText(operation: string): string {
  return codeText("audit_act", operation);
}

/** The outcome of a record in a few words; a refusal that has none in this language is its sentence. */
export function outcomeText(outcome: string): string {
  // An act is recorded before it is carried out as well, with no outcome yet.
  if (outcome === "") return codeText("audit_outcome", "begun");
  const sentence = stationText("error", outcome) ?? stationText("error_general", outcome);
  return codeText("audit_outcome", outcome, sentence);
}

/** An act and, where it did not just succeed, its outcome: "Arm robot: stop latched". */
export function recordText({ operation, outcome }: Pick<AuditRecord, "operation" | "outcome">): string {
  const act = actText(operation);
  return outcome === "ok" || outcome === "" ? act : `${act}: ${outcomeText(outcome)}`;
}

/** The value of a field of a subject; codes stand in words, everything else as it is. */
export function valueText(key: string | null, text: string): string {
  switch (key) {
    case "cause":
    case "causes":
      return listed(text, (code) => codeText("cause", code));
    case "violated":
      return listed(text, (code) => codeText("denied_for", code));
    case "class":
      return codeText("fallback_class", text, text);
    case "step":
      return codeText("fallback_step", text, text);
    case "tier_rule":
      return codeText("tier_rule", text, text);
    case "operation":
      return actText(text);
    case null:
    default:
      return text;
  }
}

function listed(text: string, word: (code: string) => string): string {
  return text
    .split(",")
    .map((code) => word(code.trim()))
    .join(", ");
}
