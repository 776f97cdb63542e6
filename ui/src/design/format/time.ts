// Durations and times of day as text.

import { perLocale } from "../../host/language";
import { formatNumber, NO_NUMBER } from "./numbers";

/** A duration: "0.4 s", "34 s", "2 min 10 s", "3 h 05 min", "4 d". */
export function formatAge(age_ms: number | null): string {
  if (age_ms === null || !Number.isFinite(age_ms)) return NO_NUMBER;
  const seconds = Math.max(0, age_ms) / 1_000;
  if (seconds < 9.95) return `${formatNumber(seconds, 1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(hours / 24)} d`;
}

/** A duration of which nobody knows more than the seconds: "3 s", "2 min 10 s". */
export function formatWholeAge(age_ms: number): string {
  const seconds = Math.floor(Math.max(0, age_ms) / 1_000);
  return seconds < 10 ? `${formatNumber(seconds, 0)} s` : formatAge(seconds * 1_000);
}

/** The age of something that comes several times a second: a bound while it does, whole seconds once it stops. */
export function formatSilence(silent_ms: number): string {
  return silent_ms < 1_000 ? "< 1 s" : formatAge(Math.floor(silent_ms / 1_000) * 1_000);
}

/** A round trip: a bound while it is quick, a number once it is slow. */
export function formatRoundTrip(rtt_ms: number): string {
  const bound_ms = QUICK_MS.find((bound) => rtt_ms < bound);
  return bound_ms === undefined
    ? `${formatNumber(Math.round(rtt_ms / 10) * 10, 0)} ms`
    : `< ${formatNumber(bound_ms, 0)} ms`;
}

/** Nobody acts on the difference between 3 ms and 4 ms; from 100 ms on a link is slow (U-505). */
const QUICK_MS: readonly number[] = [20, 50, 100];

/** Time left in whole seconds, rounded up so that "0 s" means over. */
export function secondsLeft(deadline_mono_ms: number, now_ms: number): number {
  return Math.max(0, Math.ceil((deadline_mono_ms - now_ms) / 1_000));
}

/** A time of day with seconds: "14:03:22"; a dash for a number that is no time, which `Intl` would throw at. */
export function formatClock(unix_ms: number): string {
  const date = new Date(unix_ms);
  if (!isTime(unix_ms)) return NO_NUMBER;
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

function isTime(unix_ms: number): boolean {
  return Number.isFinite(new Date(unix_ms).getTime());
}

/** The time of day that many ms ago, by this desk's clock, and the day where it was another. */
export function formatClockAgo(age_ms: number): string {
  return formatSaidAt(Date.now() - age_ms);
}

/** A time of day with milliseconds: "14:03:22.180". */
export function formatClockMs(unix_ms: number): string {
  if (!isTime(unix_ms)) return NO_NUMBER;
  return `${formatClock(unix_ms)}.${String(Math.floor(unix_ms) % 1_000).padStart(3, "0")}`;
}

/** A time of day with the zone it is in: "14:03:22 +01:00". */
export function formatClockZone(unix_ms: number): string {
  if (!isTime(unix_ms)) return NO_NUMBER;
  const offset_min = -new Date(unix_ms).getTimezoneOffset();
  const zone_min = Math.abs(offset_min);
  const zone = `${offset_min < 0 ? "−" : "+"}${twoDigits(Math.floor(zone_min / 60))}:${twoDigits(zone_min % 60)}`;
  return `${formatClock(unix_ms)} ${zone}`;
}

const dates = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", day: "numeric" }),
);

/** A moment with its date and zone: "8 Mar 2026, 14:03:22 +01:00". */
export function formatMoment(unix_ms: number): string {
  if (!isTime(unix_ms)) return NO_NUMBER;
  return `${dates().format(unix_ms)}, ${formatClockZone(unix_ms)}`;
}

const stamps = perLocale((locale) => new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" }));

/** The zone of this desk at a moment: "+01:00". */
export function formatZone(unix_ms: number): string {
  return formatClockZone(unix_ms).slice(-6);
}

/**
 * A moment of a list whose heading names the zone of `now_ms`: "8 Mar, 14:03:22"; with its year where that is another,
 * and with its zone where a clock was set since.
 */
export function formatStamp(unix_ms: number, now_ms: number): string {
  if (!isTime(unix_ms)) return NO_NUMBER;
  const sameYear = new Date(unix_ms).getFullYear() === new Date(now_ms).getFullYear();
  const sameZone = new Date(unix_ms).getTimezoneOffset() === new Date(now_ms).getTimezoneOffset();
  const date = (sameYear ? stamps : dates)().format(unix_ms);
  return `${date}, ${sameZone ? formatClock(unix_ms) : formatClockZone(unix_ms)}`;
}

const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" }));

/** A moment as short as a glance needs: "14:03" of today, else "8 Mar, 14:03". */
export function formatWhen(unix_ms: number): string {
  if (!isTime(unix_ms)) return NO_NUMBER;
  const clock = formatClock(unix_ms).slice(0, 5);
  return isToday(unix_ms) ? clock : `${days().format(unix_ms)}, ${clock}`;
}

function isToday(unix_ms: number): boolean {
  return new Date(unix_ms).toDateString() === new Date().toDateString();
}

/** The time at which something was said: "14:03:22" of today, else "8 Mar, 14:03:22". */
export function formatSaidAt(unix_ms: number): string {
  return isToday(unix_ms) || !isTime(unix_ms)
    ? formatClock(unix_ms)
    : `${days().format(unix_ms)}, ${formatClock(unix_ms)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
