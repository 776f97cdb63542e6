// Actions since the robots were stopped, from the audit: the same actions of the same actor are one line.

import type { AuditRecord } from "../generated/bindings/AuditRecord";
import { actOf, sentenceOf } from "../domain/stop/record-words";
import type { Stop } from "../generated/bindings/Stop";

/** Lines shown; the others are counted. */
const LINES_MAX = 6;
/** The stop itself stands above, acknowledgements in the table. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["stop", "stop_all", "verify_audit", "screen_alive"]);

/** One kind of act; `actor` is null where the act names whom it is of. `last_at` is Unix milliseconds. */
export type SinceLine = { actor: string | null; act: string; count: number; last_at: number };

/** The lines, newest first, and how many kinds of act are left out. */
export type SinceStop = { lines: readonly SinceLine[]; left_out: number };

/** When the oldest open stop was pressed, Unix milliseconds; null without one. */
export function stoppedAt(stops: readonly Stop[]): number | null {
  const times = stops.filter(({ open }) => open).map(({ at }) => at);
  return times.length === 0 ? null : Math.min(...times);
}

/** Summary of the records from `since_ms` on, Unix milliseconds. */
export function sinceStop(records: readonly AuditRecord[], since_ms: number): SinceStop {
  const lines = new Map<string, SinceLine>();
  for (const record of records) {
    const { operation, at_wall } = record;
    // Written so that a time that is no number is left out, instead of counted.
    if (!(at_wall >= since_ms) || SHOWN_ELSEWHERE.has(operation)) continue;
    const sentence = sentenceOf(record);
    const [actor, act] = sentence === null ? [record.actor, actOf(record)] : [null, sentence];
    const key = `${actor ?? ""} ${act}`;
    const known = lines.get(key);
    lines.set(key, {
      actor,
      act,
      count: (known?.count ?? 0) + 1,
      last_at: Math.max(at_wall, known?.last_at ?? at_wall),
    });
  }
  const all = [...lines.values()].sort((a, b) => b.last_at - a.last_at);
  return { lines: all.slice(0, LINES_MAX), left_out: Math.max(0, all.length - LINES_MAX) };
}
