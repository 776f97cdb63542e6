import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agedSecs, confidenceAt, curvePoints, decayed, projectedPoints, rowBefore, wholeSpan } from "./belief-curve";
import { beliefHistory, beliefRow, historyRow } from "./fixtures";

describe("BL-01 decay between two marks", () => {
  it.each([
    [0, 0.8],
    [100, 0.4],
    [200, 0.2],
  ])("after %s s of a half-life of 100 s is %s", (secs, left) => expect(decayed(0.8, secs, 100)).toBeCloseTo(left, 12));

  it.each([
    [[], 100],
    [[{ from: 20, until: 50 }], 70],
    [
      [
        { from: -50, until: 30 },
        { from: 90, until: 500 },
      ],
      60,
    ],
    [[{ from: -50, until: 500 }], 0],
  ])("pins %o leave %s s that count", (pins, secs) => expect(agedSecs({ from: 0, to: 100 }, pins)).toBe(secs));

  it("starts anew at each mark and is nothing before the first", () => {
    const history = beliefHistory([historyRow(1_000, 0.8), historyRow(1_100, 0.6)]);
    expect([999, 1_000, 1_050, 1_100, 1_200].map((at) => confidenceAt(history, at)?.toFixed(3))).toEqual([
      undefined,
      "0.800",
      "0.566",
      "0.600",
      "0.300",
    ]);
  });
});

describe("the drawn line", () => {
  const rows = Array.from({ length: 10_000 }, (_, place) =>
    historyRow(1_000 + place * 10, place === 5_000 ? 0.05 : 0.5 + (place % 7) / 20, { confidence_before: 0.5 }),
  );

  it("U-1404 loses no dip of 10,000 marks, and stays small", () => {
    const points = curvePoints(beliefHistory(rows), { from: 1_000, to: 101_000 }, 800);
    expect(Math.min(...points.map(({ confidence }) => confidence))).toBe(0.05);
    expect(points.length).toBeLessThan(4 * 800 + 3);
  });

  it("U-2604 is made within 10 ms, whatever else this machine does", () => {
    const history = beliefHistory(rows);
    const runs = Array.from({ length: 20 }, () => {
      const started = performance.now();
      curvePoints(history, { from: 1_000, to: 101_000 }, 800);
      return performance.now() - started;
    });
    expect(Math.min(...runs)).toBeLessThan(10);
  });

  it("goes forward in time and stays between 0 and 1", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true })), {
          maxLength: 60,
        }),
        fc.integer({ min: 1, max: 300 }),
        (marks, columns) => {
          const sorted = marks
            .toSorted(([a], [b]) => a - b)
            .map(([at, confidence]) => historyRow(at, confidence, { confidence_before: confidence / 2 }));
          const points = curvePoints(beliefHistory(sorted), { from: 100, to: 4_000 }, columns);
          expect(
            points.every(
              ({ at, confidence }, place) => at >= (points[place - 1]?.at ?? at) && confidence >= 0 && confidence <= 1,
            ),
          ).toBe(true);
        },
      ),
    ));

  it("steps where something happened", () => {
    const points = curvePoints(
      beliefHistory([historyRow(1_000, 0.8), historyRow(1_100, 0.9, { confidence_before: 0.4 })]),
      { from: 1_000, to: 1_200 },
      50,
    );
    expect(points.filter(({ at }) => at === 1_100).map(({ confidence }) => confidence)).toEqual([0.4, 0.9]);
  });
});

describe("what is to come", () => {
  it("starts at the confidence of now and falls by half in a half-life", () => {
    const points = projectedPoints(beliefHistory([], { belief: beliefRow({ confidence: 0.6 }) }), 2_000, 2_100, 40);
    expect([points[0]?.confidence, points.at(-1)?.confidence]).toEqual([0.6, 0.3]);
  });
  it("is level while it is pinned", () => {
    const points = projectedPoints(beliefHistory([], { pins: [{ from: 1_900, until: 2_050 }] }), 2_000, 2_100, 8);
    expect([points[1]?.confidence, (points.at(-1)?.confidence ?? 0).toFixed(3)]).toEqual([
      0.8,
      (0.8 * 2 ** -0.5).toFixed(3),
    ]);
  });
  it("is nothing once the time in sight is past", () =>
    expect(projectedPoints(beliefHistory([]), 2_000, 1_500, 8)).toEqual([]));
  it("takes at most two fifths of the past, and ends where it is doubted", () => {
    const history = beliefHistory([historyRow(1_000, 0.8)], { below_02_at: 4_200 });
    expect(wholeSpan(history, 4_000)).toEqual({ from: 850, to: 4_200 });
    expect(wholeSpan({ ...history, below_02_at: 90_000 }, 4_000).to).toBe(4_000 + 1_200);
  });
});

it.each([
  [[], 5, -1],
  [[1, 3, 3, 9], 0, -1],
  [[1, 3, 3, 9], 3, 2],
  [[1, 3, 3, 9], 100, 3],
])("the last of %o not after %s is %s", (times, at, place) =>
  expect(
    rowBefore(
      times.map((time) => historyRow(time, 1)),
      at,
    ),
  ).toBe(place),
);
