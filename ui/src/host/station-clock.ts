// Current time of the station, and the loss of contact with it (U-402, U-503).

/** The station sends a frame at least every 250 ms; four missing ones mean it is gone (U-402). */
export const STATION_LOST_MS = 1_000;
/** A longer gap between two ticker passes means this computer slept (U-503). */
const SUSPEND_GAP_MS = 2_000;

/**
 * Result of a ticker pass. `now_ms` is station time and `wall_ms` its time of day, null until a frame has told it;
 * `local_ms` is the pass itself.
 */
export type StationTime = {
  now_ms: number | null;
  wall_ms: number | null;
  local_ms: number;
  silent_ms: number;
  lost: boolean;
};

type Told = { mono_ms: number; wall_ms: number };
type Kept = { mono_ms: number; wall_ms: number | null; arrived_ms: number };

/** Station time from frames and a local monotonic clock; no robot or station time is compared with a wall clock. */
export class StationClock {
  #frame: Kept | null = null;
  #last_pass_ms: number | null = null;
  #slept = false;

  /** Notes a frame that arrived at local time `arrived_ms`. */
  noteFrame({ mono_ms, wall_ms }: Told, arrived_ms: number): void {
    // An older station tells no time of day, whatever the type of a frame says.
    this.#frame = { mono_ms, wall_ms: Number.isFinite(wall_ms) ? wall_ms : null, arrived_ms };
    this.#slept = false;
  }

  /** One pass of the ticker at local time `local_ms`. */
  pass(local_ms: number): StationTime {
    const gap_ms = this.#last_pass_ms === null ? 0 : local_ms - this.#last_pass_ms;
    this.#last_pass_ms = local_ms;
    if (!this.#frame) return { now_ms: null, wall_ms: null, local_ms, silent_ms: 0, lost: false };
    const silent_ms = Math.max(0, local_ms - this.#frame.arrived_ms);
    if (gap_ms > SUSPEND_GAP_MS) this.#slept = true;
    // Written so that a silence that is no number counts as lost.
    const lost = this.#slept || !(silent_ms <= STATION_LOST_MS);
    const { mono_ms, wall_ms } = this.#frame;
    const day_ms = wall_ms === null ? null : wall_ms + silent_ms;
    return { now_ms: mono_ms + silent_ms, wall_ms: day_ms, local_ms, silent_ms, lost };
  }
}
