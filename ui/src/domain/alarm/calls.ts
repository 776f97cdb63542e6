// Alarms that sound: each once when it comes, the most urgent again and again until somebody has seen it.

import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { isUnacknowledged } from "./alarm-state";
import type { SoundPriority } from "./sound";

/** Priority by `id count raised_at`, which names one occurrence of an alarm: the next occurrence sounds again. */
export type Calls = ReadonlyMap<string, SoundPriority>;

/** The alarms that call now. One that comes and goes too fast is silent (AL-10). */
export function callsOf(alarms: readonly AlarmRow[]): Calls {
  const calling = alarms.filter(({ state, flags }) => isUnacknowledged(state) && !flags.chattering);
  return new Map(
    calling.flatMap(({ id, count, raised_at, priority }) =>
      // The count alone begins anew with every alarm that was over: one may be over while this desk hears nothing.
      priority === 4 ? [] : [[`${id} ${count} ${raised_at ?? ""}`, priority] as const],
    ),
  );
}

/** The tone for what is new since `before`; null where nothing is. */
export function newCall(before: Calls, now: Calls): SoundPriority | null {
  const fresh = [...now].filter(([call]) => !before.has(call)).map(([, priority]) => priority);
  return fresh.length === 0 ? null : (fresh.toSorted((a, b) => a - b)[0] ?? null);
}

/** True while an alarm of the first priority still calls. */
export function callsOn(now: Calls): boolean {
  return [...now.values()].includes(1);
}
