// Beliefs in words.

import type { BeliefEvidence } from "../../generated/bindings/BeliefEvidence";
import { scalarText } from "../../design/format/scalar";
import { t } from "../../locales/i18n";
import type { Mark } from "./belief-marks";

/** A mark as a sentence says it. */
export function markName({ row, shape }: Mark): string {
  if (row === null) return t("mark.challenged");
  return shape === "operator" && row.kind === "confirmed" ? t("change.confirmed_by_person") : t(`change.${row.kind}`);
}

/** Evidence of a change, on one line. */
export function evidenceText(evidence: BeliefEvidence | null): string {
  if (evidence === null) return t("evidence.none");
  if ("key" in evidence) return t("evidence.sample", { key: evidence.key, value: scalarText(evidence.value, null) });
  if ("session" in evidence) return t("evidence.call", { session: evidence.session, entry: evidence.entry });
  if ("operator" in evidence) return t("evidence.operator", { operator: evidence.operator });
  return t("evidence.program", { program: evidence.program });
}
