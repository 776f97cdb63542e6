import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { panned, shown, ticksOf, zoomed } from "./timeline-view";

const WHOLE = { from: 0, to: 1_000 };

describe("U-1405 zoom and pan", () => {
  it("keeps the time under the pointer where it is", () =>
    expect(zoomed(WHOLE, 2, 250, WHOLE)).toEqual({ from: 125, to: 625 }));
  it("never shows more than there is", () => expect(zoomed({ from: 100, to: 600 }, 0.1, 300, WHOLE)).toEqual(WHOLE));
  it("stops at the ends", () =>
    expect([panned({ from: 100, to: 300 }, -500, WHOLE), panned({ from: 100, to: 300 }, 5_000, WHOLE)]).toEqual([
      { from: 0, to: 200 },
      { from: 800, to: 1_000 },
    ]));
  it("brings a mark into sight", () =>
    expect([
      shown({ from: 100, to: 300 }, 700, WHOLE).to,
      shown({ from: 100, to: 300 }, 50, WHOLE).from,
      shown({ from: 100, to: 300 }, 200, WHOLE).from,
    ]).toEqual([710, 40, 100]));
  it("stays inside whatever is done", () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: -2_000, max: 2_000 }),
        (factor, around, secs) => {
          const span = panned(zoomed(WHOLE, factor, around, WHOLE), secs, WHOLE);
          expect(span.from >= 0 && span.to <= 1_000.001 && span.to > span.from).toBe(true);
        },
      ),
    ));
});

describe("times under the axis", () => {
  it.each([
    [60, 10, 6],
    [86_400, 10_800, 8],
    [400 * 86_400, 91 * 86_400, 4],
  ])("over %s s stand %s s apart", (length, secs, count) => {
    const ticks = ticksOf({ from: 1_772_990_000, to: 1_772_990_000 + length }, 8);
    expect(ticks[0]?.secs).toBe(secs);
    expect(Math.abs(ticks.length - count)).toBeLessThanOrEqual(1);
  });
});
