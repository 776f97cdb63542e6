// The measured reaction of a robot whose gate falls silent.

import type { BaseTimeout } from "../../../generated/bindings/BaseTimeout";
import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";

/** The reaction in words. */
export function timeoutWords(timeout: BaseTimeout): string {
  if (timeout === "not_measured") return t("commissioning.timeout_unknown");
  if (timeout === "never") return t("commissioning.timeout_never");
  return t("commissioning.timeout_after", { time: `${formatNumber(timeout.after, 0)} ms` });
}
