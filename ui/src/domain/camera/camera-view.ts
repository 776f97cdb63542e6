// What a pane knows about its camera: the newest facts, and how often it shows a picture. A plain object outside React;
// the pane reads it with the ticker of the window.

import type { CameraFrame } from "../../generated/bindings/CameraFrame";
import type { CameraRow } from "../../generated/bindings/CameraRow";
import type { HostError } from "../../host/host";
import { ageMs, type Freshness, freshness } from "../../design/format/freshness";
import type { StationTime } from "../../host/station-clock";

/** Rates are those of so many milliseconds. */
const RATE_WINDOW_MS = 2_000;

/** State of a picture: as that of every value, or `faulty` where what comes cannot be shown. */
export type PictureState = Freshness | "faulty" | "unreachable";

/** See the head of the file. */
export class CameraView {
  readonly #max_age_ms: number;
  #facts: CameraFrame | null = null;
  #error: HostError | null = null;
  #seen_unix_ms = 0;
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

  /** The time of day of the picture, by this desk's clock. */
  get seen_unix_ms(): number {
    return this.#seen_unix_ms;
  }

  /** Takes in an answer. */
  note(facts: CameraFrame, time: StationTime): void {
    const changed = facts.observed_mono_ms !== this.#facts?.observed_mono_ms;
    this.#facts = facts;
    this.#error = null;
    if (changed) this.#seen_unix_ms = Date.now() - (this.age_ms(time) ?? 0);
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
  freshness({ now_ms, lost }: StationTime): Freshness {
    const observed = this.#facts?.observed_mono_ms ?? null;
    const dated =
      observed === null ? undefined : { observed_mono_ms: observed, max_age_ms: this.#max_age_ms, source_lost: false };
    return freshness(dated, now_ms, lost);
  }

  /** Freshness of the picture, or the reason that there is no newer one. */
  state(time: StationTime): PictureState {
    if (this.#error !== null) return "unreachable";
    return this.#facts?.fault ? "faulty" : this.freshness(time);
  }
}
