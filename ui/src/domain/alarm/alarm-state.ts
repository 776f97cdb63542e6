// Meaning of an alarm's state for an operator. States and priorities come from the station.

import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AlarmState } from "../../generated/bindings/AlarmState";

/** Nobody has said that they saw it. */
export function isUnacknowledged(state: AlarmState): boolean {
  switch (state) {
    case "unack_active":
    case "unack_returned":
      return true;
    case "ack_active":
    case "latched":
    case "normal":
      return false;
  }
}

/** Urgent, and nobody has said that they saw it. */
export function callsForSomebody({ priority, state }: Pick<AlarmRow, "priority" | "state">): boolean {
  return priority <= 2 && isUnacknowledged(state);
}

/** The alarm that a person should see to first: rows come worst first, and of those nobody saw. */
export function worstUnacknowledged(alarms: readonly AlarmRow[]): AlarmRow | null {
  return alarms.find(({ state }) => isUnacknowledged(state)) ?? null;
}

/** The one that waits longest for somebody. */
export function oldestUnacknowledged(alarms: readonly AlarmRow[]): AlarmRow | null {
  const waiting = alarms.filter(({ state }) => isUnacknowledged(state));
  return waiting.reduce<AlarmRow | null>(
    (oldest, alarm) => ((oldest?.raised_at ?? Infinity) <= (alarm.raised_at ?? Infinity) ? oldest : alarm),
    null,
  );
}
