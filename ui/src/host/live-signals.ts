// The newest value of each signal, the one that screens show, and what is kept of those before.

import type { Signal } from "../generated/bindings/Signal";
import { Series, type SeriesPoint } from "./series";
import { meansTheSame, type Shown } from "./shown";
import type { StationTime } from "./station-clock";
import { Track } from "./track";

/** Far more than four robots publish; a station gone mad must not fill the window's memory. */
const SIGNALS_MAX = 5_000;
/** Signals whose recent values are kept: more than a screen has rows. */
const SERIES_MAX = 200;
/** A number that changes faster than this cannot be read. */
const SHOWN_EVERY_MS = 500;
/** A signal that is older than this many of its maximum ages is of no use to any screen. */
const AGES_GONE = 5;

/** Times are those of the store at the frame or the pass that brings something. */
export class LiveSignals {
  /** The one that has been silent for longest comes first. */
  readonly #newest = new Map<string, Signal>();
  readonly #shown = new Map<string, Shown>();
  /** Signals whose newest value is not shown yet. */
  readonly #due = new Set<string>();
  readonly #series = new Map<string, Series>();
  readonly #tracks = new Map<string, Track>();

  /** The newest value. */
  get(id: string): Signal | undefined {
    return this.#newest.get(id);
  }

  /** The value as a screen shows it. */
  shown(id: string): Signal | undefined {
    return this.#shown.get(id)?.signal;
  }

  /** Recent positions of a pose. */
  track(id: string): Track | undefined {
    return this.#tracks.get(id);
  }

  /** Recent values, kept from the first time they are asked for. */
  series(id: string): readonly SeriesPoint[] {
    const series = this.#series.get(id) ?? new Series();
    this.#series.delete(id);
    this.#series.set(id, series);
    if (this.#series.size > SERIES_MAX) {
      const [unread] = this.#series.keys();
      if (unread !== undefined) this.#series.delete(unread);
    }
    return series.points;
  }

  /** Takes in a newer value. */
  apply(signal: Signal, time: StationTime): void {
    const { id, observed_mono_ms, value } = signal;
    if (!this.#newest.has(id) && this.#newest.size >= SIGNALS_MAX && !this.#makeRoom(time)) return;
    // Taken out first: setting a key that is there leaves it in its old place.
    this.#newest.delete(id);
    this.#newest.set(id, signal);
    this.#show(id, time);
    this.#series.get(id)?.push(observed_mono_ms, value);
    if (typeof value !== "object") return;
    const track = this.#tracks.get(id) ?? new Track();
    track.push({ observed_mono_ms, pose: value });
    this.#tracks.set(id, track);
  }

  /** Shows what came too early to be read when it came. */
  showDue(time: StationTime): void {
    // A signal that is still too early is put back: iterating over the set itself would never end.
    const due = [...this.#due];
    for (const id of due) this.#show(id, time);
  }

  /** Forgets the signals of a robot. */
  dropOfRobot(robot: string): void {
    const ids = [...this.#newest.keys()].filter((id) => id.startsWith(`robot/${robot}/`));
    for (const id of ids) this.#drop(id);
  }

  /** Forgets all. */
  clear(): void {
    for (const kept of [this.#newest, this.#shown, this.#due, this.#series, this.#tracks]) kept.clear();
  }

  #show(id: string, { local_ms }: StationTime): void {
    const signal = this.#newest.get(id);
    const shown = this.#shown.get(id);
    this.#due.delete(id);
    if (!signal || (shown && meansTheSame(shown.signal, signal))) return;
    if (shown && local_ms - shown.since_ms < SHOWN_EVERY_MS) this.#due.add(id);
    else this.#shown.set(id, { signal, since_ms: local_ms });
  }

  /** Drops the signal that has been silent for longest; false if even that one still tells something. */
  #makeRoom({ now_ms }: StationTime): boolean {
    const [oldest] = this.#newest.values();
    if (oldest === undefined || now_ms === null) return false;
    if (!(now_ms - oldest.observed_mono_ms > AGES_GONE * oldest.max_age_ms)) return false;
    this.#drop(oldest.id);
    return true;
  }

  #drop(id: string): void {
    for (const kept of [this.#newest, this.#shown, this.#due, this.#series, this.#tracks]) kept.delete(id);
  }
}
