// The keys of STOP ALL, seen before every other handler (U-603).

import type { Keys } from "../design/shortcuts/chords";
import { stopKeyOf } from "../design/shortcuts/key-rules";

/** Two presses of F12 within this time are one wish. */
export const DOUBLE_PRESS_MS = 1_000;

/** Says for each key press whether it stops. */
export class StopKeys {
  #first_f12_ms: number | null = null;

  /** `repeat` is a key that is only being held down: it does nothing. */
  press(event: Keys & { repeat: boolean }, now_ms: number): "stops" | "counts" | "ignored" {
    const shortcut = stopKeyOf(event);
    if (shortcut === "stop_all") return event.repeat ? "counts" : "stops";
    if (shortcut !== "stop_all_f12") return "ignored";
    if (event.repeat) return "counts";
    const first_ms = this.#first_f12_ms;
    const second = first_ms !== null && now_ms - first_ms <= DOUBLE_PRESS_MS;
    // After a stop the count begins anew: a third press alone must not stop again.
    this.#first_f12_ms = second ? null : now_ms;
    return second ? "stops" : "counts";
  }
}
