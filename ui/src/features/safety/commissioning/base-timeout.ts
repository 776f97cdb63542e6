// The measured reaction of a robot whose gate falls silent.

import type { BaseTimeout } from "../../../generated/bindings/BaseTimeout";
import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";

/** A base that stops later than this by itself counts as one that keeps moving, as at the gate. */
const STOPS_WITHIN_MS = 1_000;

/** True of a robot that was measured to go on when nobody tells it to. */
export function keepsMoving(timeout: BaseTimeout): boolean {
  if (timeout === "not_measured") return false;
  return timeout === "never" || timeout.after > STOPS_WITHIN_MS;
}

/** The reaction in words. */
export function timeoutWords(timeout: BaseTimeout): string {
  if (timeout === "not_measured") return t("commissioning.timeout_unknown");
  if (timeout === "never") return t("commissioning.timeout_never");
  return t("commissioning.timeout_after", { time: `${formatNumber(timeout.after, 0)} ms` });
}
