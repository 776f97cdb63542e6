// Reasons for which a provider rejects rows, human-readable.

import { formatNumber } from "../../design/format/numbers";
import { codeText, t } from "../../locales/i18n";

/** One text for each reason, the most frequent first. A reason the catalogue does not know keeps its code. */
export function rejectTexts(rejects: { [reason in string]?: number | bigint }): string[] {
  const counts = Object.entries(rejects).map(([reason, count]) => [reason, Number(count ?? 0)] as const);
  return counts
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) =>
      t("providers.reject", {
        count: count,
        shown: formatNumber(count, 0),
        reason: codeText("row_reject", reason),
      }),
    );
}
