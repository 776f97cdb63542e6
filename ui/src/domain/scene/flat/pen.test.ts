import { describe, expect, it } from "vitest";
import { decimalsOf, lengthText } from "./pen";

describe("U-1102 the lengths of the scale and the grid", () => {
  it.each([
    [0.02, "0.02 m"],
    [0.05, "0.05 m"],
    [0.1, "0.1 m"],
    [0.5, "0.5 m"],
    [1, "1 m"],
    [20, "20 m"],
  ])("%s m is written as %s", (length_m, text) => expect(lengthText(length_m)).toBe(text));

  it.each([0.001, 0.01, 0.1, 1, 1_000])("neighbours a step of %s m apart are told apart", (step_m) => {
    const written = [1, 2, 3].map((n) => (n * step_m).toFixed(decimalsOf(step_m)));
    expect(written.map(Number)).toEqual([1, 2, 3].map((n) => Number((n * step_m).toPrecision(3))));
  });
});
