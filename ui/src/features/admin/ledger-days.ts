// Cost of models, day by day.

import type { ModelCallRow } from "../../generated/bindings/ModelCallRow";

/** One day by this desk's clock. `unknown` counts calls whose price nobody knows: they are in no sum (K-01). */
export type LedgerDay = {
  day: string;
  calls: number;
  failed: number;
  read: number;
  wrote: number;
  microusd: number;
  unknown: number;
};

/** Outcomes of calls that have not failed: one may go on, and a person may have ended one. */
const NOT_FAILED: ReadonlySet<string> = new Set(["ok", "running", "cancelled"]);

/** The days that have calls, the newest first. */
export function daysOf(calls: readonly ModelCallRow[]): LedgerDay[] {
  const days = new Map<string, LedgerDay>();
  for (const call of calls) {
    const day = dayOf(call.began_ms);
    const before = days.get(day) ?? { day, calls: 0, failed: 0, read: 0, wrote: 0, microusd: 0, unknown: 0 };
    const { usage, cost_microusd, outcome } = call;
    days.set(day, {
      day,
      calls: before.calls + 1,
      failed: before.failed + (NOT_FAILED.has(outcome) ? 0 : 1),
      read: before.read + usage.in_fresh + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h,
      wrote: before.wrote + usage.out,
      microusd: before.microusd + (cost_microusd ?? 0),
      unknown: before.unknown + (cost_microusd === null ? 1 : 0),
    });
  }
  return [...days.values()].toSorted((a, b) => b.day.localeCompare(a.day));
}

function dayOf(unix_ms: number): string {
  const date = new Date(unix_ms);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}
