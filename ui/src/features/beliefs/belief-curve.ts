// The course of a confidence: what time alone does to it between two rows of its history, and what the rows did.

import type { BeliefHistory } from "../../generated/bindings/BeliefHistory";
import type { BeliefHistoryRow } from "../../generated/bindings/BeliefHistoryRow";
import type { BeliefPin } from "../../generated/bindings/BeliefPin";

/** One point of the drawn line; `at` in Unix seconds, `confidence` from 0 to 1. */
export type CurvePoint = { at: number; confidence: number };

/** A span of time, Unix seconds. */
export type Span = { from: number; to: number };

/** Fields of a history that the curve needs. */
export type CurveSource = Pick<BeliefHistory, "rows" | "pins" | "half_life_secs">;

/** Between rows a line is sampled every so many columns: a decay bends too little to need each. */
const SAMPLE_COLUMNS = 4;

/** Seconds of a span in which time counts: a pinned belief does not decay. */
export function agedSecs({ from, to }: Span, pins: readonly BeliefPin[]): number {
  const pinned = pins.reduce((sum, pin) => sum + Math.max(0, Math.min(pin.until, to) - Math.max(pin.from, from)), 0);
  return Math.max(0, to - from - pinned);
}

/** Confidence left after `aged_secs`. */
export function decayed(confidence: number, aged_secs: number, half_life_secs: number): number {
  return confidence * 2 ** (-aged_secs / half_life_secs);
}

/** The last row that is not after `at`; −1 if the belief is younger. Rows are oldest first. */
export function rowBefore(rows: readonly BeliefHistoryRow[], at: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The confidence at a time, after what happened then; null before there was one. */
export function confidenceAt(source: CurveSource, at: number): number | null {
  const row = source.rows[rowBefore(source.rows, at)];
  if (row === undefined || row.confidence_after === null) return null;
  return decayed(row.confidence_after, agedSecs({ from: row.at, to: at }, source.pins), source.half_life_secs);
}

/**
 * The line over `span`, for a plot of `columns` pixels. A column with many rows keeps its first, lowest, highest and
 * last value, so that no dip is lost however many rows there are (U-1404).
 */
export function curvePoints(source: CurveSource, span: Span, columns: number): CurvePoint[] {
  const { rows } = source;
  const points: CurvePoint[] = [];
  const put = (at: number, confidence: number | null) => {
    if (confidence !== null) points.push({ at, confidence });
  };
  const width = (span.to - span.from) / columns;
  let next = rowBefore(rows, span.from) + 1;
  put(span.from, confidenceAt(source, span.from));
  for (let column = 0; column < columns; column += 1) {
    const end = column === columns - 1 ? span.to : span.from + (column + 1) * width;
    const first = next;
    while ((rows[next]?.at ?? Infinity) <= end) next += 1;
    if (next > first) putColumn(put, rows.slice(first, next));
    else if (column % SAMPLE_COLUMNS === 0) put(end, confidenceAt(source, end));
  }
  put(span.to, confidenceAt(source, span.to));
  return points;
}

/** The rows of one column: where the line came from, its extremes, and where it goes on. */
function putColumn(put: (at: number, confidence: number | null) => void, rows: readonly BeliefHistoryRow[]): void {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return;
  put(first.at, first.confidence_before);
  if (rows.length > 1) {
    const lowest = rows.reduce((low, row) => ((row.confidence_after ?? 1) < (low.confidence_after ?? 1) ? row : low));
    const highest = rows.reduce((high, row) =>
      (row.confidence_after ?? 0) > (high.confidence_after ?? 0) ? row : high,
    );
    for (const row of [lowest, highest].toSorted((a, b) => a.at - b.at)) put(row.at, row.confidence_after);
  }
  put(last.at, last.confidence_after);
}

/** The line that time alone will draw from now on. */
export function projectedPoints(history: BeliefHistory, now: number, to: number, columns: number): CurvePoint[] {
  if (to <= now) return [];
  const { pins, half_life_secs } = history;
  const confidence_now = confidenceAt(history, now) ?? history.belief.confidence;
  const count = Math.max(1, Math.ceil(columns / SAMPLE_COLUMNS));
  return Array.from({ length: count + 1 }, (_, place) => {
    const at = now + ((to - now) * place) / count;
    return { at, confidence: decayed(confidence_now, agedSecs({ from: now, to: at }, pins), half_life_secs) };
  });
}

/** The whole story: from the first row until a while after now, so that the decay to come is in sight. */
export function wholeSpan({ rows, below_02_at, half_life_secs }: BeliefHistory, now: number): Span {
  const from = rows[0]?.at ?? now;
  const past = Math.max(now - from, PAST_SECS_MIN);
  const ahead = Math.min(below_02_at === null ? half_life_secs : below_02_at - now, past * AHEAD_SHARE);
  return { from: now - past * (1 + MARGIN_SHARE), to: now + Math.max(ahead, past * MARGIN_SHARE) };
}

/** A belief that was just made is drawn over a minute, not over a second. */
const PAST_SECS_MIN = 60;
/** The future takes at most two fifths as much room as the past. */
const AHEAD_SHARE = 0.4;
/** Room at the ends, as a share of the past. */
const MARGIN_SHARE = 0.05;
