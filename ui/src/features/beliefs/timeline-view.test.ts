import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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

  describe("in a zone with summer time", () => {
    beforeEach(() => void vi.stubEnv("TZ", "Europe/Berlin"));
    afterEach(() => void vi.unstubAllEnvs());

    it.each([
      ["days over its end", "2026-10-24T00:00:00+02:00", "2026-10-27T01:00:00+01:00", "24.10. 25.10. 26.10. 27.10."],
      ["days over its beginning", "2026-03-28T00:00:00+01:00", "2026-03-31T01:00:00+02:00", "28.3. 29.3. 30.3. 31.3."],
      ["months", "2026-01-01T00:00:00+01:00", "2026-05-02T00:00:00+02:00", "1.1. 1.2. 1.3. 1.4. 1.5."],
    ])("%s begin at midnight", (_, from, to, days) => {
      const span = { from: Date.parse(from) / 1_000, to: Date.parse(to) / 1_000 };
      const dates = ticksOf(span, 5).map(({ at }) => new Date(at * 1_000));
      expect([
        dates.map((date) => `${date.getDate()}.${date.getMonth() + 1}.`).join(" "),
        dates.every((date) => date.getHours() === 0),
      ]).toEqual([days, true]);
    });
  });
});
