// Acknowledgement of alarms as they stood on the screen, never of a later state of them.

import type { AlarmRow } from "../../generated/bindings/AlarmRow";

/**
 * The rows come from one answer of the station, so the newest of their changes is one that was on the screen (AL-05).
 */
export function acknowledgeInput(alarms: readonly AlarmRow[]): { ids: string[]; seq: number } {
  return { ids: alarms.map(({ id }) => id), seq: Math.max(0, ...alarms.map(({ seq }) => seq)) };
}
