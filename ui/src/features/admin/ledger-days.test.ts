import { expect, it } from "vitest";
import { modelCall } from "../../testing/model-calls";
import { daysOf } from "./ledger-days";

const noon = (day: number) => new Date(2026, 2, day, 12).getTime();

it("K-01 K-02 sums each day, and counts what has no price instead of calling it free", () => {
  const calls = [
    modelCall({ began_ms: noon(8), cost_microusd: 100 }),
    modelCall({ began_ms: noon(8), cost_microusd: null, outcome: "rate_limit" }),
    modelCall({ began_ms: noon(9), cost_microusd: 7 }),
  ];
  expect(daysOf(calls)).toEqual([
    { day: "2026-03-09", calls: 1, failed: 0, read: 1_000, wrote: 50, microusd: 7, unknown: 0 },
    { day: "2026-03-08", calls: 2, failed: 1, read: 2_000, wrote: 100, microusd: 100, unknown: 1 },
  ]);
});

it("K-01 a call that goes on, and one that a person has ended, are no failures", () => {
  const outcomes = ["running", "cancelled", "transport"];
  expect(daysOf(outcomes.map((outcome, place) => modelCall({ id: `mc-${place}`, outcome })))).toMatchObject([
    { calls: 3, failed: 1 },
  ]);
});
