// Values over time as lines and bands: pure, so that what is drawn can be tested.

import type { Scalar } from "../format/scalar";

/** A value at a time; times of one series share a clock. */
export type Point = { at_ms: number; value: Scalar };

/** A stretch of time with one value; `to_ms` is where the next begins, or the end of what is shown. */
export type Band = { from_ms: number; to_ms: number; value: Scalar };

/** The part of time and of values that is drawn. */
export type Extent = { from_ms: number; to_ms: number; min: number; max: number };

/** True if there are points and every value is a finite number, so that a line can be drawn. */
export function isNumeric(points: readonly Point[]): points is readonly (Point & { value: number })[] {
  return points.length > 0 && points.every(({ value }) => typeof value === "number" && Number.isFinite(value));
}

/** Time from the first point to `to_ms`, and values with a little room, also where all are the same. */
export function extentOf(points: readonly (Point & { value: number })[], from_ms: number, to_ms: number): Extent {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // A line along the edge would look like an end of the scale.
  const room = least === most ? Math.max(Math.abs(least) * 0.1, 0.5) : (most - least) * 0.08;
  return { from_ms, to_ms: Math.max(to_ms, from_ms + 1), min: least - room, max: most + room };
}

/** Stretches of equal values; a value holds until the next one is known. */
export function bandsOf(points: readonly Point[], to_ms: number): Band[] {
  const bands: Band[] = [];
  for (const { at_ms, value } of points) {
    const last = bands.at(-1);
    if (last && last.value === value) continue;
    if (last) last.to_ms = at_ms;
    bands.push({ from_ms: at_ms, to_ms, value });
  }
  return bands;
}

/**
 * An SVG path of steps: nothing is known between two samples, so nothing is drawn between them but what held. The last
 * value held until `held_to_ms`.
 */
export function stepPath(
  points: readonly (Point & { value: number })[],
  extent: Extent,
  width: number,
  height: number,
  held_to_ms = extent.to_ms,
): string {
  const x = (at_ms: number) =>
    round(((clampTime(at_ms, extent) - extent.from_ms) / (extent.to_ms - extent.from_ms)) * width);
  const y = (value: number) => round(height - ((value - extent.min) / (extent.max - extent.min)) * height);
  const [first, ...rest] = points;
  if (!first) return "";
  const steps = rest.map(({ at_ms, value }) => `H${x(at_ms)}V${y(value)}`);
  return `M${x(first.at_ms)} ${y(first.value)}${steps.join("")}H${x(held_to_ms)}`;
}

/**
 * No more than `count` points: both ends, and of each stretch between them the least and the greatest. The newest value
 * holds until now, so that an older one in its place would look like the present one.
 */
export function thinned(
  points: readonly (Point & { value: number })[],
  count: number,
): readonly (Point & { value: number })[] {
  if (points.length <= count) return points;
  const between = points.slice(1, -1);
  const stretch = Math.ceil(between.length / Math.max(1, Math.floor((count - 2) / 2)));
  const kept = points.slice(0, 1);
  for (let from = 0; from < between.length; from += stretch) {
    const part = between.slice(from, from + stretch);
    const least = part.reduce((a, b) => (b.value < a.value ? b : a));
    const most = part.reduce((a, b) => (b.value > a.value ? b : a));
    kept.push(...(least === most ? [least] : [least, most].toSorted((a, b) => a.at_ms - b.at_ms)));
  }
  kept.push(...points.slice(-1));
  return kept;
}

function clampTime(at_ms: number, { from_ms, to_ms }: Extent): number {
  return Math.min(Math.max(at_ms, from_ms), to_ms);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
