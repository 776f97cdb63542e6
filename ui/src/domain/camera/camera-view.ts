// What a pane knows about its camera: the newest facts, and how often it shows a picture. A plain object outside React;
// the pane reads it with the ticker of the window.

import type { CameraDetections } from "../../generated/bindings/CameraDetections";
import type { CameraFrame } from "../../generated/bindings/CameraFrame";
import type { CameraRow } from "../../generated/bindings/CameraRow";
import type { DetectedObject } from "../../generated/bindings/DetectedObject";
import type { HostError } from "../../host/host";
import { ageMs, type Freshness, freshness } from "../../design/format/freshness";
import type { StationTime } from "../../host/station-clock";

/** Rates are those of so many milliseconds. */
const RATE_WINDOW_MS = 2_000;

/** State of a picture: as that of every value, or `faulty` where what comes cannot be shown. */
export type PictureState = Freshness | "faulty" | "unreachable";

/** State of what a detector finds: as that of every value, or `faulty` where what comes cannot be shown. */
export type DetectorState = Freshness | "faulty";

const isCurrent = (state: PictureState | null) => state === "live" || state === "aging";
const NOTHING: readonly DetectedObject[] = [];

/** See the head of the file. */
export class CameraView {
  readonly #max_age_ms: number;
  #facts: CameraFrame | null = null;
  #error: HostError | null = null;
  #seen_unix_ms = 0;
  /** Time of the picture that came last and could not be drawn. */
  #undrawn_mono_ms: number | null = null;
  #drawn_ms: number[] = [];

  constructor({ max_age_ms }: CameraRow) {
    this.#max_age_ms = max_age_ms;
  }

  /** The newest facts. */
  get facts(): CameraFrame | null {
    return this.#facts;
  }

  /** The failure of the newest question. */
  get error(): HostError | null {
    return this.#error;
  }

  /** The time of day of the picture, Unix milliseconds. */
  get seen_unix_ms(): number {
    return this.#seen_unix_ms;
  }

  /** Takes in an answer. */
  note(facts: CameraFrame, time: StationTime): void {
    const changed = facts.observed_mono_ms !== this.#facts?.observed_mono_ms;
    const before = this.#facts?.detections ?? null;
    const same = before !== null && facts.detections !== null && isSame(before, facts.detections);
    // The same list while nothing new was found, so that the boxes are not drawn again with every answer.
    this.#facts = same ? { ...facts, detections: before } : facts;
    this.#error = null;
    if (changed) this.#seen_unix_ms = (time.wall_ms ?? Date.now()) - (this.age_ms(time) ?? 0);
  }

  /** Takes in the facts of a picture that this browser could not draw. */
  noteUndrawn(facts: CameraFrame, time: StationTime): void {
    this.note(facts, time);
    // The canvas still shows an older picture, which must not pass for this one while no newer one comes.
    this.#undrawn_mono_ms = facts.observed_mono_ms;
  }

  /** Takes in a question that failed. */
  noteError(error: HostError): void {
    this.#error = error;
  }

  /** Counts a picture that was drawn at local time `local_ms`. */
  noteDrawn(local_ms: number): void {
    this.#drawn_ms = [...this.#drawn_ms.filter((drawn) => local_ms - drawn < RATE_WINDOW_MS), local_ms];
  }

  /** Pictures a second that are shown. */
  shownHz(local_ms: number): number {
    const counted = this.#drawn_ms.filter((drawn) => local_ms - drawn < RATE_WINDOW_MS).length;
    return (counted * 1_000) / RATE_WINDOW_MS;
  }

  /** Age of the picture. */
  age_ms({ now_ms }: StationTime): number | null {
    const observed = this.#facts?.observed_mono_ms ?? null;
    return observed === null || now_ms === null ? null : ageMs(observed, now_ms);
  }

  /** Freshness of the picture. */
  freshness(time: StationTime): Freshness {
    return this.#freshnessOf(this.#facts?.observed_mono_ms ?? null, time);
  }

  /** State of what a detector finds in the pictures; null if the camera has none. */
  detector(time: StationTime): DetectorState | null {
    const detections = this.#facts?.detections ?? null;
    if (detections === null) return null;
    return detections.fault === null ? this.#freshnessOf(detections.observed_mono_ms, time) : "faulty";
  }

  /** The objects to show over the picture: none over an old one, and no old ones. The same array until they change. */
  objects(time: StationTime): readonly DetectedObject[] {
    const shown = isCurrent(this.state(time)) && isCurrent(this.detector(time));
    return shown ? (this.#facts?.detections?.objects ?? NOTHING) : NOTHING;
  }

  /** Freshness of the picture, or the reason that there is no newer one. */
  state(time: StationTime): PictureState {
    if (this.#error !== null) return "unreachable";
    return this.#facts?.fault || this.#isUndrawn() ? "faulty" : this.freshness(time);
  }

  #isUndrawn(): boolean {
    return this.#undrawn_mono_ms !== null && this.#undrawn_mono_ms === this.#facts?.observed_mono_ms;
  }

  #freshnessOf(observed_mono_ms: number | null, { now_ms, lost }: StationTime): Freshness {
    const dated =
      observed_mono_ms === null ? undefined : { observed_mono_ms, max_age_ms: this.#max_age_ms, source_lost: false };
    return freshness(dated, now_ms, lost);
  }
}

/** True for the same message. */
function isSame(a: CameraDetections, b: CameraDetections): boolean {
  return a.observed_mono_ms === b.observed_mono_ms && a.fault === b.fault;
}
