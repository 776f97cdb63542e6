// The last half hour as marks on a line: stops, denials, decisions and missions, from the audit.

import { type Moment, momentOf, type Recorded } from "../../domain/station/moments";

/** Length of the line, ms. */
export const SPAN_MS = 30 * 60_000;
/** Time from which on the line is drawn ever closer, ms: quiet takes little room, and a busy minute is not one mark. */
const CLOSER_FROM_MS = 10_000;
/** Room between two marks at least, as the logarithm of time that it is for longer ones. */
const ROOM_MIN = 0.4;
/** Marks that the line has room for. */
const MARKS_MAX = 12;
/** Records of one kind that follow one another this closely are one mark, ms. */
const TOGETHER_MS = 20_000;

/** One moment, or several alike. `place` is between 0 and 1; `at_ms` is that of the newest. */
export type Mark = Moment & { count: number; place: number };

/** The line: its marks, oldest first, and the time of its begin, Unix milliseconds. */
export type Activity = { marks: readonly Mark[]; from_ms: number };

/** The marks of `records` up to `now_ms`. The line begins later where there are more marks than
 * it has room for, or where the records reach back less than half an hour. */
export function activity(records: readonly Recorded[], now_ms: number, are_all: boolean): Activity {
  const oldest_ms = are_all ? 0 : Math.min(...records.map(({ at_wall }) => at_wall), now_ms);
  const begin_ms = Math.max(now_ms - SPAN_MS, oldest_ms);
  const moments = records.map(momentOf).filter((moment) => moment !== null);
  const all = together(moments.filter(({ at_ms }) => at_ms >= begin_ms && at_ms <= now_ms));
  const shown = all.slice(-MARKS_MAX);
  const from_ms = shown.length < all.length ? (shown[0]?.at_ms ?? begin_ms) : begin_ms;
  const places = placesOf([from_ms, ...shown.map(({ at_ms }) => at_ms), now_ms]);
  return { marks: shown.map((mark, index) => ({ ...mark, place: places[index + 1] ?? 1 })), from_ms };
}

/** Moments that say the same shortly after one another, as one. */
function together(moments: readonly Moment[]): Omit<Mark, "place">[] {
  const marks: Omit<Mark, "place">[] = [];
  for (const moment of [...moments].sort((a, b) => a.at_ms - b.at_ms)) {
    const before = marks.at(-1);
    const same = before?.kind === moment.kind && before.words === moment.words && before.path === moment.path;
    if (before && same && moment.at_ms - before.at_ms <= TOGETHER_MS) {
      before.count += 1;
      before.at_ms = moment.at_ms;
    } else marks.push({ ...moment, count: 1 });
  }
  return marks;
}

/** Places of rising `times` between 0 and 1. */
function placesOf(times: readonly number[]): number[] {
  let so_far = 0;
  const ends = times.map((at, index) => {
    so_far += index === 0 ? 0 : Math.max(Math.log1p((at - (times[index - 1] ?? at)) / CLOSER_FROM_MS), ROOM_MIN);
    return so_far;
  });
  return ends.map((end) => (so_far === 0 ? 1 : end / so_far));
}
