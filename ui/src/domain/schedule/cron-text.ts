// Schedules in the window's language.

import { formatQuantity } from "../../design/format/numbers";
import { formatLocale } from "../../host/language";
import { t } from "../../locales/i18n";

/** Sunday; the days after it are those of cron's numbers. */
const A_SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;
const DAY_NAMES = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** Seconds of an interval's units, the longest first. */
const UNITS: readonly (readonly [secs: number, unit: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/** An interval in the longest unit that it is a whole number of: "90 min". */
export function intervalText(secs: number): string {
  const [size, unit] = UNITS.find(([size]) => secs % size === 0) ?? [1, "s"];
  return formatQuantity(secs / size, 0, unit);
}

/** `0 7 * * MON-FRI` in words; null for a pattern that is none of the usual ones. */
export function cronText(cron: string): string | null {
  const [minute, hour, day, month, weekday, ...more] = cron.trim().split(/\s+/u);
  if (more.length > 0 || day !== "*" || month !== "*" || minute === undefined || hour === undefined) return null;
  const days = weekday === undefined ? null : daysText(weekday);
  if (days === null) return null;
  const step = stepOf(minute);
  if (hour === "*" && (minute === "*" || step === 1)) return joined(t("jobs.says_each_minute"), days);
  if (hour === "*" && step !== null) return joined(t("jobs.says_minutes", { step }), days);
  if (hour === "*" && isNumber(minute)) return joined(t("jobs.says_minute_of_hour", { minute }), days);
  if (!isNumber(minute) || !isNumber(hour)) return null;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  return t("jobs.says_at", { days: days === "" ? t("jobs.says_daily") : days, time });
}

/** The weekdays in words, empty for every day; null where they cannot be read. */
function daysText(field: string): string | null {
  if (field === "*") return "";
  const names = new Intl.DateTimeFormat(formatLocale(), { weekday: "long", timeZone: "UTC" });
  // Sunday is 0 and 7.
  const name = (day: number) => names.format(A_SUNDAY + (day % 7) * DAY_MS);
  const parts = field.split(",").map((part) => part.split("-").map(dayOf));
  if (!parts.every((part) => part.length <= 2 && part.every((day) => day !== null))) return null;
  const said = parts.map((part) => part.map((day) => name(day ?? 0)).join("–"));
  return new Intl.ListFormat(formatLocale(), { type: "conjunction" }).format(said);
}

function dayOf(text: string): number | null {
  const named = DAY_NAMES.indexOf(text.toUpperCase());
  if (named !== -1) return named;
  return /^[0-7]$/u.test(text) ? Number(text) : null;
}

/** The minutes between two times; null where they differ: after 56 of every 7th minute comes 0. */
function stepOf(minute: string): number | null {
  const step = Number(/^\*\/(\d{1,2})$/u.exec(minute)?.[1] ?? 0);
  return step > 0 && 60 % step === 0 && step < 60 ? step : null;
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/u.test(text);
}

function joined(when: string, days: string): string {
  return days === "" ? when : `${when}, ${days}`;
}
