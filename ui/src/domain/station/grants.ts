// Time left of a grant that ends at a time of the station's clock.

import { formatAge } from "../../design/format/time";

/** The time left in whole seconds; null where there is no grant, where it has ended, and before the first frame. */
export function untilText(until_mono_ms: number | null, now_ms: number | null): string | null {
  if (until_mono_ms === null || now_ms === null || !(until_mono_ms > now_ms)) return null;
  // Rounded up, so that a grant which still holds never reads as 0 s.
  return formatAge(Math.ceil((until_mono_ms - now_ms) / 1_000) * 1_000);
}
