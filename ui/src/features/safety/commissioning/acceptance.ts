// An Admin's acceptance of a robot that keeps moving when its gate dies.

import type { Acceptance } from "../../../generated/bindings/Acceptance";
import { formatMoment } from "../../../design/format/time";
import { t } from "../../../locales/i18n";

/** The acceptance with its person, its time and its reason. */
export function acceptanceWords({ person, reason, at_ms }: Acceptance): string {
  return t("commissioning.accepted", { person, reason, when: formatMoment(at_ms) });
}
