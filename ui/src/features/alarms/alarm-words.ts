// Alarms in words.

import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { formatNumber } from "../../design/format/numbers";
import { formatAge } from "../../design/format/time";
import { t } from "../../locales/i18n";

/** The state; missing data never looks like the end of an alarm (U-1303). */
export function stateText({ state, flags }: Pick<AlarmRow, "state" | "flags">): string {
  const text = t(`alarm_state.${state}`);
  return flags.source_stale && state !== "normal" ? t("alarms.source_stale", { state: text }) : text;
}

/** Subjects of an alarm: its robot, mission and agent, as far as it has them. */
export function whereText({ robot, mission, agent }: Pick<AlarmRow, "robot" | "mission" | "agent">): string[] {
  return [
    ...(robot === null ? [] : [robot]),
    ...(mission === null ? [] : [t("alarms.of_mission", { mission })]),
    ...(agent === null ? [] : [t("alarms.of_agent", { agent })]),
  ];
}

/** A span in the unit a person would say it in. */
export function spanText(secs: number): string {
  if (secs >= 3_600 && secs % 3_600 === 0) return `${formatNumber(secs / 3_600, 0)} h`;
  if (secs >= 60 && secs % 60 === 0) return `${formatNumber(secs / 60, 0)} min`;
  return formatAge(secs * 1_000);
}

/** Time left to respond at `now_ms`, or overdue; null once somebody has responded or the alarm is over. */
export function respondText(
  alarm: Pick<AlarmRow, "state" | "raised_at" | "time_to_respond_secs">,
  now_ms: number,
): { text: string; over: boolean } | null {
  if (alarm.state !== "unack_active" || alarm.raised_at === null) return null;
  const left_ms = (alarm.raised_at + alarm.time_to_respond_secs) * 1_000 - now_ms;
  // Whole seconds: tenths that run would draw the eye away from what matters.
  const rounded = Math.floor(Math.abs(left_ms) / 1_000) * 1_000;
  if (left_ms < 0) return { text: t("alarms.overdue", { age: formatAge(rounded) }), over: true };
  return { text: t("alarms.left", { age: formatAge(rounded) }), over: false };
}
