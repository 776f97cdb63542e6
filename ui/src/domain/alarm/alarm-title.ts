// The name of an alarm on a screen.

import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { t } from "../../locales/i18n";
import { stationText } from "../../locales/station-words";
import { isCleared } from "./alarm-state";

/** Its message; that of an alarm whose condition is over says so first, since it is written in the present. */
export function alarmTitle(alarm: Titled): string {
  const message = alarmMessage(alarm);
  return isCleared(alarm.state) ? t("alarms.cleared", { message }) : message;
}

type Titled = Pick<AlarmRow, "state" | "message" | "source" | "robot">;

/** The event: of an alarm of the station's own by its code, where the window's language has words for it. */
export function alarmMessage({ message, source, robot }: Omit<Titled, "state">): string {
  const own = stationText("alarm", source);
  if (own === null) return message;
  return robot === null ? `${own}.` : `${robot}: ${own}.`;
}

/** The station's own sentence, with the names and values of that moment, where another stands for it; else null. */
export function alarmDetail({ message, source }: Pick<AlarmRow, "message" | "source">): string | null {
  return stationText("alarm", source) === null ? null : message;
}

/** The response to an alarm. */
export function alarmResponse({ response, source }: Pick<AlarmRow, "response" | "source">): string {
  return stationText("alarm_response", source) ?? response;
}
