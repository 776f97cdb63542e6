import { afterEach, describe, expect, it, vi } from "vitest";
import { formatNumber, formatPosition, formatQuantity, formatSigned } from "./numbers";
import {
  formatAge,
  formatClock,
  formatClockAgo,
  formatClockMs,
  formatClockZone,
  formatMoment,
  formatSaidAt,
  formatStamp,
  formatWhen,
  formatWholeAge,
  formatZone,
  secondsLeft,
} from "./time";

describe("numbers", () => {
  it.each([
    [1.5, 2, "1.50"],
    [-0.1, 2, "−0.10"],
    [-0.001, 2, "0.00"],
    [12_345.6, 1, "12,345.6"],
    [Number.NaN, 2, "–"],
    [Number.POSITIVE_INFINITY, 2, "–"],
    [null, 2, "–"],
  ])("%s with %s digits reads %s", (value, digits, text) => expect(formatNumber(value, digits)).toBe(text));

  it("keeps the sign of a margin", () =>
    expect([0.11, -0.11, 0, 0.001, -0.001, Number.NaN].map((m) => formatSigned(m, 2))).toEqual([
      "+0.11",
      "−0.11",
      "0.00",
      "+0.00",
      "−0.00",
      "–",
    ]));
  it("puts the unit behind a number only", () =>
    expect([formatQuantity(2, 1, "m/s"), formatQuantity(null, 1, "m/s")]).toEqual(["2.0 m/s", "–"]));
  it("writes a position with its unit once", () =>
    expect(formatPosition([0.42, -0.1, 0.86])).toBe("(0.42, −0.10, 0.86) m"));
});

describe("ages", () => {
  it.each([
    [-10, "0.0 s"],
    [420, "0.4 s"],
    [9_940, "9.9 s"],
    [9_960, "9 s"],
    [34_900, "34 s"],
    [130_000, "2 min 10 s"],
    [11_100_000, "3 h 05 min"],
    [4 * 86_400_000, "4 d"],
    [Number.NaN, "–"],
  ])("%s ms reads %s", (age_ms, text) => expect(formatAge(age_ms)).toBe(text));

  it.each([
    [-10, "0 s"],
    [9_999, "9 s"],
    [130_000, "2 min 10 s"],
  ])("%s ms in whole seconds read %s", (age_ms, text) => expect(formatWholeAge(age_ms)).toBe(text));

  it("names the day of what was not said today", () =>
    expect([formatSaidAt(Date.now()).length, formatSaidAt(new Date(2026, 2, 8, 14, 3, 22).getTime())]).toEqual([
      8,
      expect.stringMatching(/8.*14:03:22$/),
    ]));

  it("rounds time left up", () =>
    expect([secondsLeft(1_001, 0), secondsLeft(1_000, 0), secondsLeft(0, 5)]).toEqual([2, 1, 0]));
});

describe("times of day", () => {
  const noon = new Date(2026, 2, 8, 12, 3, 22, 180).getTime();
  it("shows milliseconds where an order matters", () => expect(formatClockMs(noon)).toBe("12:03:22.180"));
  it("always names its zone", () => expect(formatClockZone(noon)).toMatch(/^12:03:22 [+−]\d\d:\d\d$/));
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15])("has a dash for %s, which is no time", (wrong) =>
    expect(
      [formatClock, formatClockMs, formatClockZone, formatMoment, formatWhen, formatZone]
        .map((format) => format(wrong))
        .concat(formatStamp(wrong, noon)),
    ).toEqual(Array.from({ length: 7 }, () => "–")),
  );

  describe("of something long ago", () => {
    afterEach(() => void vi.useRealTimers());

    it("has its day, unless that is today", () => {
      vi.useFakeTimers({ now: noon });
      expect([60_000, 36 * 3_600_000].map(formatClockAgo)).toEqual(["12:02:22", "Mar 7, 00:03:22"]);
    });
  });
});
