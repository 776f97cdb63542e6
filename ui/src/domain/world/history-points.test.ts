import { describe, expect, it } from "vitest";
import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import { oldStretches, recentPoints, valuePoints } from "./history-points";

const point = (at_ms: number, value: WorldPoint["value"], change: Partial<WorldPoint> = {}): WorldPoint => ({
  kind: "value",
  value,
  confidence: null,
  observed_ms: at_ms,
  received_ms: at_ms,
  source: "lab/x",
  ...change,
});
const word = (at_ms: number, value: string) => point(at_ms, value, { kind: "freshness" });

describe("U-1101 the history of a key", () => {
  it("is its values in order, without what is said about them", () =>
    expect(valuePoints([point(20, 2), point(10, 1), word(30, "stale")])).toEqual([
      { at_ms: 10, value: 1 },
      { at_ms: 20, value: 2 },
    ]));

  it("joins what was stored with what was pushed, by age", () => {
    const pushed = [
      { observed_mono_ms: 900, value: 3 },
      { observed_mono_ms: 950, value: 4 },
    ];
    const stored = [point(5_800, 1), point(5_950, 9)];
    expect(recentPoints(stored, pushed, 1_000, 6_000)).toEqual([
      { at_ms: -200, value: 1 },
      { at_ms: -100, value: 3 },
      { at_ms: -50, value: 4 },
    ]);
  });

  it.each([
    [
      "until the next value",
      [point(0, 1), word(10, "stale"), word(50, "lost"), point(70, 2)],
      [{ from_ms: 10, to_ms: 70 }],
    ],
    ["until now", [point(0, 1), word(10, "stale")], [{ from_ms: 10, to_ms: 100 }]],
    ["never", [point(0, 1), word(5, "aging"), point(9, 1)], []],
  ])("was old %s", (_name, history, stretches) => expect(oldStretches(history, 100)).toEqual(stretches));
});
