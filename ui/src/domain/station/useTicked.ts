// Something that depends on the time of day, looked at again with the ticker of the window.

import { useLive } from "./useLive";

/** `read` gives a primitive, so that only a change renders again. */
export function useTicked<Value extends string | number | boolean | null>(read: () => Value): Value {
  return useLive(() => read());
}
