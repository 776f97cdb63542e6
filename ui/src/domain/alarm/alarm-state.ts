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

/** Its condition holds no more, whether somebody saw it or not. */
export function isCleared(state: AlarmState): boolean {
  switch (state) {
    case "unack_returned":
    case "normal":
      return true;
    case "unack_active":
    case "ack_active":
    case "latched":
      return false;
  }
}

/** Urgent, still so, and nobody has said that they saw it. */
export function callsForSomebody({ priority, state }: Pick<AlarmRow, "priority" | "state">): boolean {
  return priority <= 2 && isUnacknowledged(state) && !isCleared(state);
}

/**
 * The alarm that a person should see to first: rows come worst first, of those nobody saw, and what has cleared comes
 * after what has not.
 */
export function worstUnacknowledged(alarms: readonly AlarmRow[]): AlarmRow | null {
  const unseen = alarms.filter(({ state }) => isUnacknowledged(state));
  return unseen.find(({ state }) => !isCleared(state)) ?? unseen[0] ?? null;
}

/** The one that waits longest for somebody. */
export function oldestUnacknowledged(alarms: readonly AlarmRow[]): AlarmRow | null {
  const waiting = alarms.filter(({ state }) => isUnacknowledged(state));
  return waiting.reduce<AlarmRow | null>(
    (oldest, alarm) => ((oldest?.raised_at ?? Infinity) <= (alarm.raised_at ?? Infinity) ? oldest : alarm),
    null,
  );
}
