// The recent values of one plotted signal.

import type { SignalValue } from "../generated/bindings/SignalValue";

/** A minute at twenty values a second (U-2303). */
const POINTS_MAX = 1_200;

/** A value at a station time. */
export type SeriesPoint = { observed_mono_ms: number; value: number | string | boolean };

const NONE: readonly SeriesPoint[] = [];

/** Newest last; replaced as a whole, so that a reader sees a change. */
export class Series {
  points: readonly SeriesPoint[] = NONE;

  /** Takes in a newer value; an older one, and what is no scalar, is left out. */
  push(observed_mono_ms: number, value: SignalValue): void {
    if (typeof value === "object") return;
    const last = this.points.at(-1);
    if (last && !(observed_mono_ms > last.observed_mono_ms)) return;
    // A value holds until another is known, so that what stands still costs nothing.
    if (last && last.value === value) return;
    this.points = [...this.points.slice(1 - POINTS_MAX), { observed_mono_ms, value }];
  }
}
