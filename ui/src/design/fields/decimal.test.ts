import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactText, fieldText, marksOf, parseDecimal, stepped } from "./decimal";

const EN = marksOf("en");
const DE = marksOf("de");

describe("U-1602 numbers as they are typed", () => {
  it.each([
    ["1.5", 1.5],
    ["1,5", 1.5],
    [" −0,25 ", -0.25],
    ["+.5", 0.5],
    ["2.", 2],
    ["1e-3", 0.001],
    ["1500", 1_500],
  ])("%s is %s in every locale", (text, value) => {
    for (const marks of [EN, DE]) expect(parseDecimal(text, marks)).toEqual({ value });
  });

  it.each([
    ["", "empty"],
    ["  ", "empty"],
    ["1.5 m", "not_a_number"],
    ["1,2,3", "not_a_number"],
    ["1,234.5", "not_a_number"],
    ["Infinity", "not_a_number"],
    ["1e999", "not_a_number"],
    ["0x10", "not_a_number"],
    ["-", "not_a_number"],
  ])("%o is no number: %s", (text, problem) => expect(parseDecimal(text, EN)).toEqual({ problem }));

  it.each([
    ["1,500", EN, { problem: "ambiguous" }],
    ["1.500", EN, { value: 1.5 }],
    ["1.500", DE, { problem: "ambiguous" }],
    ["1,500", DE, { value: 1.5 }],
    ["0,125", EN, { value: 0.125 }],
  ])("%s is never guessed where it may mean thousands", (text, marks, read) =>
    expect(parseDecimal(text, marks)).toEqual(read),
  );

  it("a field's text reads back as the same number", () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const marks of [EN, DE])
          expect(parseDecimal(fieldText(value, marks), marks)).toEqual({ value: value === 0 ? 0 : value });
      }),
    ));

  it("shows every digit with the locale's mark", () =>
    expect([exactText(-0.1234, EN), exactText(-0.1234, DE), exactText(Number.NaN, EN)]).toEqual([
      "−0.1234",
      "−0,1234",
      "–",
    ]));

  it("steps without the dust of binary fractions", () =>
    expect([stepped(0.1, 0.2), stepped(0.3, -0.05)]).toEqual([0.3, 0.25]));
});
