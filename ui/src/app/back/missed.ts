// What happened while nobody at this desk could see it, from the audit and the alarms.

import { alarmTitle } from "../../domain/alarm/alarm-title";
import { type MarkKind, momentOf } from "../../domain/station/moments";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { t } from "../../locales/i18n";
import type { Gap, Known } from "./absence";

/** In the order of a summary: the gravest first. */
const KINDS = ["stop", "alarm", "denial", "approval", "mission"] as const satisfies readonly (MarkKind | "alarm")[];

/** One thing that happened. `at_ms` is Unix milliseconds of the station, `path` its place in the window. */
export type Missed = { kind: (typeof KINDS)[number]; at_ms: number; words: string; path: string };

/** Everything that came in the gaps, oldest first. */
export function missed(gaps: readonly Gap[], records: readonly AuditRecord[], alarms: readonly AlarmRow[]): Missed[] {
  const recorded = records
    .filter(({ seq }) => gaps.some((gap) => isIn(gap, "record", seq)))
    .map(momentOf)
    .filter((moment) => moment !== null);
  const raised = alarms
    // By its number, not its time: clocks of two computers do not tell what this window had read.
    .filter(({ seq, raised_at }) => raised_at !== null && gaps.some((gap) => isIn(gap, "alarm", seq)))
    .map((alarm) => ({
      kind: "alarm" as const,
      at_ms: (alarm.raised_at ?? 0) * 1_000,
      words: alarmTitle(alarm),
      path: `/alarms/${alarm.id}`,
    }));
  return [...recorded, ...raised].toSorted((a, b) => a.at_ms - b.at_ms);
}

function isIn({ from, to }: Gap, kind: keyof Known, seq: number): boolean {
  const [after, last] = [from[kind], to?.[kind] ?? null];
  return after !== null && seq > after && (last === null || seq <= last);
}

/** Counts by kind, for example "2 stops, 1 mission change". */
export function countsOf(all: readonly Missed[]): string {
  return KINDS.map((kind) => ({ kind, count: all.filter((one) => one.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => t(`back.${kind}`, { count }))
    .join(", ");
}
