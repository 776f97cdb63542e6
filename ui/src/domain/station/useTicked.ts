// Something that depends on the time of day, looked at again with the ticker of the window.

import { useLive } from "./useLive";

/**
 * Something of the station's time of day, Unix milliseconds: a desk's own clock may be minutes away from it. By the
 * desk's clock until the station has told its own. `read` gives a primitive, so that only a change renders again.
 */
export function useTicked<Value extends string | number | boolean | null>(read: (wall_ms: number) => Value): Value {
  return useLive(({ time }) => read(time.wall_ms ?? Date.now()));
}

/** The station's time of day in whole steps, Unix milliseconds. */
export function useTimeOfDay(step_ms: number): number {
  return useTicked((wall_ms) => step_ms * Math.floor(wall_ms / step_ms));
}
