// Visible part of a timeline: zoom, pan, and the times written under it.

import { perLocale } from "../../host/language";
import type { Span } from "./belief-curve";

/** Nothing happens within less. */
const SPAN_SECS_MIN = 10;
/** One press or one notch of the wheel. */
export const ZOOM_STEP = 1.4;
/** One press pans by this share of what is in sight. */
export const PAN_SHARE = 0.2;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const YEAR = 365 * DAY;
/** Steps that clocks and calendars are read in, seconds. */
const STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  91 * DAY,
  182 * DAY,
  YEAR,
];
/** The steps that are months of the calendar. */
const MONTHS: ReadonlyMap<number, number> = new Map([
  [30 * DAY, 1],
  [91 * DAY, 3],
  [182 * DAY, 6],
  [YEAR, 12],
]);
/** Years of a belief that a clock set wrong has made: no screen has room for so many. */
const TICKS_MAX = 100;

/** Visible span after zooming by `factor` (above 1 = closer) around a time that stays in its place. */
export function zoomed(span: Span, factor: number, around: number, whole: Span): Span {
  const length = Math.min(Math.max((span.to - span.from) / factor, SPAN_SECS_MIN), whole.to - whole.from);
  const share = (around - span.from) / (span.to - span.from);
  const from = around - share * length;
  return within({ from, to: from + length }, whole);
}

/** Visible span after moving by `secs`. */
export function panned(span: Span, secs: number, whole: Span): Span {
  return within({ from: span.from + secs, to: span.to + secs }, whole);
}

/** Moves the span so that `at` is in sight, by no more than it takes. */
export function shown(span: Span, at: number, whole: Span): Span {
  const margin = (span.to - span.from) * MARGIN_SHARE;
  if (at < span.from + margin) return panned(span, at - margin - span.from, whole);
  if (at > span.to - margin) return panned(span, at + margin - span.to, whole);
  return span;
}

/** A mark at the very edge is easily overlooked. */
const MARGIN_SHARE = 0.05;

function within(span: Span, whole: Span): Span {
  const length = span.to - span.from;
  const from = Math.max(whole.from, Math.min(span.from, whole.to - length));
  return { from, to: from + length };
}

/** A time under the axis; `secs` is the step, which says how much of it has to be written. */
export type Tick = { at: number; secs: number };

/** At most `count` times on steps that clocks are read in, in the zone of this desk. */
export function ticksOf(span: Span, count: number): Tick[] {
  const wanted = (span.to - span.from) / Math.max(count, 1);
  const secs = STEPS.find((step) => step >= wanted) ?? YEAR;
  const months = MONTHS.get(secs);
  const timeOf = months === undefined ? clockTimes(span, secs) : calendarTimes(span, months);
  const ticks: Tick[] = [];
  for (let place = 0; ticks.length < TICKS_MAX; place += 1) {
    const at = timeOf(place);
    // Written so that a time that no date can hold ends it as well.
    if (!(at <= span.to)) break;
    if (at >= span.from) ticks.push({ at, secs });
  }
  return ticks;
}

/** Steps of `secs` on the clock of this desk, by their place from the start of the span. */
function clockTimes({ from }: Span, secs: number): (place: number) => number {
  const offset = -new Date(from * 1_000).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((from + offset) / secs) * secs;
  // Up to an hour a step is the same in either half of the year; an hour that comes twice has ticks twice.
  if (secs <= HOUR) return (place) => first + place * secs - offset;
  return (place) => {
    const date = new Date((first + place * secs) * 1_000);
    const day = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()] as const;
    return new Date(...day, date.getUTCHours()).getTime() / 1_000;
  };
}

/** First days of every `months` months: months are not alike in length. */
function calendarTimes({ from }: Span, months: number): (place: number) => number {
  const date = new Date(from * 1_000);
  const first = Math.floor(date.getMonth() / months) * months;
  return (place) => new Date(date.getFullYear(), first + place * months, 1).getTime() / 1_000;
}

const dateTimes = (form: Intl.DateTimeFormatOptions) =>
  perLocale((locale) => new Intl.DateTimeFormat(locale, { ...form, ...(form.hour ? { hourCycle: "h23" } : {}) }));
const time = dateTimes({ hour: "2-digit", minute: "2-digit" });
const seconds = dateTimes({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = dateTimes({ day: "numeric", month: "short" });
const dayAndTime = dateTimes({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const month = dateTimes({ month: "short", year: "numeric" });

/** Text under a tick: no finer than its step. */
export function tickText({ at, secs }: Tick): string {
  const date = new Date(at * 1_000);
  if (secs < MINUTE) return seconds().format(date);
  if (secs >= 30 * DAY) return month().format(date);
  if (secs >= DAY) return day().format(date);
  return secs >= 3 * HOUR ? dayAndTime().format(date) : time().format(date);
}
