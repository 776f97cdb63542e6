// Context of an alarm: other alarms, events and recorded actions of that time, and beliefs about its keys (U-1305).

import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import type { EventRow } from "../../generated/bindings/EventRow";

/** Looked at before and after an alarm was raised. */
export const AROUND_MS = 5 * 60_000;

/** The time from which on records are looked at, Unix milliseconds; null for an alarm that was never raised. */
export function beginOf({ raised_at }: AlarmRow): number | null {
  return raised_at === null ? null : raised_at * 1_000 - AROUND_MS;
}

/** Other alarms raised around the same time, the nearest first. */
export function alarmsAround(alarm: AlarmRow, rows: readonly AlarmRow[]): AlarmRow[] {
  const distance = ({ raised_at }: AlarmRow) =>
    // An alarm that was never raised is near nothing: no comparison with NaN holds.
    Math.abs((raised_at ?? Number.NaN) - (alarm.raised_at ?? Number.NaN)) * 1_000;
  return rows
    .filter((row) => row.id !== alarm.id && distance(row) <= AROUND_MS)
    .toSorted((a, b) => distance(a) - distance(b));
}

/** Events of that time, the nearest first. */
export function eventsAround(alarm: AlarmRow, events: readonly EventRow[]): EventRow[] {
  const distance = ({ happened_at }: EventRow) => Math.abs(happened_at - (alarm.raised_at ?? Number.NaN)) * 1_000;
  return events.filter((event) => distance(event) <= AROUND_MS).toSorted((a, b) => distance(a) - distance(b));
}

/** True if the time of an alarm may be older than what an answer of at most `limit` rows, the newest, reaches back to. */
export function mayMiss(alarm: AlarmRow, times_ms: readonly number[], limit: number): boolean {
  const from_ms = beginOf(alarm);
  return from_ms !== null && times_ms.length >= limit && times_ms.every((at_ms) => at_ms > from_ms);
}

/**
 * Records of that time that name the alarm's robot or mission, the newest first; the same act again and again is one.
 */
export function recordsAround(alarm: AlarmRow, records: readonly AuditRecord[]): AuditRecord[] {
  const raised_ms = (alarm.raised_at ?? Number.NaN) * 1_000;
  const places = [alarm.robot, alarm.mission].flatMap((place) => (place === null ? [] : [place]));
  const near = records.filter(
    (record) => Math.abs(record.at_wall - raised_ms) <= AROUND_MS && places.some((place) => names(record, place)),
  );
  // A later record of the same kind takes the place of the one before.
  const kinds = new Map(
    near.map((record) => [`${record.actor} ${record.operation} ${record.outcome} ${record.detail}`, record]),
  );
  return [...kinds.values()].toSorted((a, b) => b.seq - a.seq);
}

/** Beliefs that are kept from a key of the alarm's rule, or that are about its robot. */
export function beliefsAbout(alarm: AlarmRow, beliefs: readonly BeliefRow[]): BeliefRow[] {
  const keys = new Set<string>(alarm.values_now.map(({ key }) => key));
  const isAbout = ({ observes, subject, predicate }: BeliefRow) =>
    (observes !== null && keys.has(observes)) || keys.has(`${subject}.${predicate}`) || subject === alarm.robot;
  return beliefs.filter(isAbout);
}

/** A detail is words of the form `robot=arm-1`; some hold several ids, with commas between. */
function names({ detail, actor }: AuditRecord, place: string): boolean {
  return actor === place || detail.split(/[\s=,]+/).includes(place);
}
