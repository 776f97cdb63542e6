import { formatAge } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";

/** A tool that takes longer than this is worth a number (V-02). */
const SHOWN_FROM_MS = 2_000;

/** How long something has been running, in whole seconds, from 2 s on. `began_ms` is this window's clock. */
export function RunningTime({ began_ms }: { began_ms: number }) {
  const seconds = useLive(({ time }) => Math.floor((time.local_ms - began_ms) / 1_000));
  if (seconds * 1_000 < SHOWN_FROM_MS) return null;
  return <span data-testid="running-time"> · {formatAge(seconds * 1_000).replace(/\.0 s$/, " s")}</span>;
}
