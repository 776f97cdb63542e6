import { describe, expect, it } from "vitest";
import { bandsOf, extentOf, isNumeric, type Point, stepPath, thinned } from "./series";

const at = (at_ms: number, value: number) => ({ at_ms, value });

describe("a line of values", () => {
  const points = [at(0, 1), at(50, 3), at(80, 2)];
  const extent = { from_ms: 0, to_ms: 100, min: 1, max: 3 };

  it("is drawn in steps that hold until the end", () =>
    expect(stepPath(points, extent, 100, 20)).toBe("M0 20H50V0H80V10H100"));
  it("begins at the edge if it began before", () =>
    expect(stepPath([at(-40, 3), at(60, 1)], extent, 100, 20)).toBe("M0 0H60V20H100"));
  it("ends where the last value ceased to be known", () =>
    expect(stepPath([at(0, 1), at(40, 2)], extent, 100, 20, 60)).toBe("M0 20H40V10H60"));
  it("of nothing is nothing", () => expect(stepPath([], extent, 100, 20)).toBe(""));
  it("has room above and below", () =>
    expect(extentOf(points, 0, 100)).toEqual({ from_ms: 0, to_ms: 100, min: 0.84, max: 3.16 }));
  it("of one value has room too", () =>
    expect(extentOf([at(0, 5)], 0, 10)).toEqual({ from_ms: 0, to_ms: 10, min: 4.5, max: 5.5 }));
});

describe("bands of values", () => {
  const check = (values: readonly Point["value"][], bands: readonly (readonly [number, number, Point["value"]])[]) =>
    expect(
      bandsOf(
        values.map((value, i) => ({ at_ms: i * 10, value })),
        100,
      ).map((band) => [band.from_ms, band.to_ms, band.value]),
    ).toEqual(bands);
  it("join equal neighbours", () =>
    check(
      ["open", "open", "closed", "open"],
      [
        [0, 20, "open"],
        [20, 30, "closed"],
        [30, 100, "open"],
      ],
    ));
  it("tell a boolean from its text", () =>
    check(
      [true, "true"],
      [
        [0, 10, true],
        [10, 100, "true"],
      ],
    ));
  it("of nothing are none", () => check([], []));
});

describe("what is a line", () => {
  it("numbers are", () => expect(isNumeric([at(0, 1)])).toBe(true));
  it("a text among them is not", () => expect(isNumeric([at(0, 1), { at_ms: 1, value: "x" }])).toBe(false));
  it("nothing is not", () => expect(isNumeric([])).toBe(false));
});

describe("thinning", () => {
  const many = Array.from({ length: 1_000 }, (_, i) => at(i, i === 500 ? 99 : i % 7));
  it("keeps few points as they are", () => expect(thinned(many.slice(0, 5), 10)).toHaveLength(5));
  it("keeps both ends, whatever lies beside them", () => {
    const few = thinned([...many, at(1_000, 3)], 64);
    expect([few.at(0), few.at(-1), few.length <= 64]).toEqual([at(0, 0), at(1_000, 3), true]);
  });
  it("keeps the peak", () => {
    const few = thinned(many, 64);
    expect([few.length <= 64, few.some(({ value }) => value === 99)]).toEqual([true, true]);
  });
});
