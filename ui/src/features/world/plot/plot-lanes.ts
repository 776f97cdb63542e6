// Lines of one unit share a lane and its scale; all lanes share the time. Pure, so that what is drawn can be tested.

import type { Extent, Point } from "../../../design/chart/series";
import type { Freshness } from "../../../design/format/freshness";
import { type PlotField, unitOf } from "./plot-fields";

/** A number at a time; times are negative ages, milliseconds. */
export type NumberPoint = Point & { value: number };
/** The newest value of a line by its age: `held_to_ms` is until when it is known to have held, a negative age. */
export type Newest = { state: Freshness; age_ms: number | null; held_to_ms: number };
/** A field, its place among all lines of the plot from 0, and what is known of it. */
export type PlotLine = {
  field: PlotField;
  place: number;
  points: readonly NumberPoint[];
  threshold: number | null;
  newest: Newest;
};
/** Lines with one unit, and the part of time and of values that is drawn of them. */
export type Lane = { unit: string | null; lines: readonly PlotLine[]; extent: Extent };

/** The numbers among points. */
export function numbersOf(points: readonly Point[]): NumberPoint[] {
  return points.flatMap(({ at_ms, value }) =>
    typeof value === "number" && Number.isFinite(value) ? [{ at_ms, value }] : [],
  );
}

/** The part of a line that is drawn of the last `span_ms`, with the value that held at its beginning too. */
export function within(points: readonly NumberPoint[], span_ms: number): readonly NumberPoint[] {
  return points.filter(({ at_ms }, at) => at_ms >= -span_ms || (points[at + 1]?.at_ms ?? Infinity) > -span_ms);
}

/** The lanes, in the order of their first lines. */
export function lanesOf(lines: readonly PlotLine[], span_ms: number): Lane[] {
  const units = [...new Set(lines.map(({ field }) => unitOf(field)))];
  return units.map((unit) => {
    const own = lines.filter(({ field }) => unitOf(field) === unit);
    // A threshold that lies beyond the values is seen, too.
    const shown = own.flatMap(({ points, threshold }) => [
      ...points,
      ...(threshold === null ? [] : [{ at_ms: 0, value: threshold }]),
    ]);
    return { unit, lines: own, extent: { from_ms: -span_ms, to_ms: 0, ...scaleOf(boundsOf(shown)) } };
  });
}

/** The scale of a lane: its values with room above and below, also where all are the same. */
function scaleOf(bounds: { min: number; max: number } | null): { min: number; max: number } {
  if (bounds === null) return { min: 0, max: 1 };
  const { min, max } = bounds;
  // Values that are all 0 give no size to take half of.
  const room = min === max ? Math.abs(min) / 2 || 0.5 : (max - min) * 0.12;
  return { min: min - room, max: max + room };
}

/** The value of a line at a time; null where it is not known. */
export function lineValueAt({ points, newest }: PlotLine, at_ms: number): number | null {
  return at_ms > newest.held_to_ms ? null : valueAt(points, at_ms);
}

/** The value that held at a time; null before the first. */
export function valueAt(points: readonly NumberPoint[], at_ms: number): number | null {
  return points.findLast((point) => point.at_ms <= at_ms)?.value ?? null;
}

/** True if a threshold lies above most of what was seen: a rule then waits for a value beyond it. */
export function isAbove(points: readonly NumberPoint[], threshold: number): boolean {
  const bounds = boundsOf(points);
  return bounds === null || threshold >= (bounds.min + bounds.max) / 2;
}

/** The least and the greatest value; null without any. */
export function boundsOf(points: readonly NumberPoint[]): { min: number; max: number } | null {
  if (points.length === 0) return null;
  const values = points.map(({ value }) => value);
  return { min: Math.min(...values), max: Math.max(...values) };
}

/** Place of a value in its lane from the top, 0 to 1. */
export function shareOf(value: number, { min, max }: Extent): number {
  return Math.min(1, Math.max(0, (max - value) / (max - min)));
}

/** The value at a place of a lane, with as many digits as a hand can choose there. */
export function valueOf(share: number, { min, max }: Extent): number {
  const value = max - Math.min(1, Math.max(0, share)) * (max - min);
  return rounded(value, (max - min) / 100);
}

/** One step of a threshold by key: a fiftieth of what is drawn. */
export function stepped(value: number, steps: number, { min, max }: Extent): number {
  const step = (max - min) / 50;
  return rounded(value + steps * step, step);
}

function rounded(value: number, step: number): number {
  const digits = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step))));
  return Number(value.toFixed(digits));
}

/** Places of labels from the top, 0 to 1, moved apart until each has `room`. */
export function spread(shares: readonly number[], room: number): number[] {
  const order = shares.map((share, at) => ({ share, at })).toSorted((a, b) => a.share - b.share);
  let least = 0;
  for (const label of order) {
    label.share = Math.max(label.share, least);
    least = label.share + room;
  }
  let most = 1;
  for (const label of order.toReversed()) {
    label.share = Math.min(label.share, most);
    most = label.share - room;
  }
  return order.toSorted((a, b) => a.at - b.at).map(({ share }) => share);
}
