// The name of an alarm on a screen.

import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { t } from "../../locales/i18n";
import { isCleared } from "./alarm-state";

/** Its message; that of an alarm whose condition is over says so first, since it is written in the present. */
export function alarmTitle({ state, message }: Pick<AlarmRow, "state" | "message">): string {
  return isCleared(state) ? t("alarms.cleared", { message }) : message;
}
