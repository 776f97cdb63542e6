// A bounded history of one signal's positions.

import type { PoseValue } from "../generated/bindings/PoseValue";

/** 60 s at 20 Hz: longer than any trail a screen draws. */
const POINTS_MAX = 1_200;

/** A robot at rest trembles by less; its trail should not. */
const STEP_M = 0.005;

/** A place a robot was seen at. */
export type TrackPoint = { observed_mono_ms: number; pose: PoseValue };

/** The newest positions of one robot, oldest first. */
export class Track {
  #points: TrackPoint[] = [];

  /** Adds a point unless the robot has hardly moved since the last one. */
  push(point: TrackPoint): void {
    const last = this.#points.at(-1);
    // Samples may overtake one another; a trail that went back would show a move that nobody made.
    if (last && !(point.observed_mono_ms > last.observed_mono_ms)) return;
    if (last && !movedOn(last.pose, point.pose)) return;
    this.#points.push(point);
    if (this.#points.length > POINTS_MAX) this.#points = this.#points.slice(-POINTS_MAX);
  }

  /** Pose at that time of the station's monotonic clock; null if the robot was first seen later. */
  at(mono_ms: number): PoseValue | null {
    return this.#points.findLast((point) => point.observed_mono_ms <= mono_ms)?.pose ?? null;
  }

  /** Points observed at `from_mono_ms` or later. */
  since(from_mono_ms: number): readonly TrackPoint[] {
    const first = this.#points.findIndex((point) => point.observed_mono_ms >= from_mono_ms);
    return first < 0 ? [] : this.#points.slice(first);
  }
}

function movedOn(from: PoseValue, to: PoseValue): boolean {
  const way_m = Math.hypot(...to.position_m.map((metres, axis) => metres - (from.position_m[axis] ?? Number.NaN)));
  return from.frame !== to.frame || way_m >= STEP_M;
}
