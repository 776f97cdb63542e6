import { describe, expect, it } from "vitest";
import { pointAt } from "./point-at";

describe("Q-02 a fault is pointed at", () => {
  it.each([
    ["a > 1 AND bogus", 16, "a > 1 AND bogus\n               ^"],
    ["a >> 1", 4, "a >> 1\n   ^"],
    ["", 1, "\n^"],
    ["ab", 9, "ab\n  ^"],
    ["über = ?", 8, "über = ?\n       ^"],
  ])("in %o at %d", (text, column, shown) => expect(pointAt(text, column)).toBe(shown));

  it("in a long text with what stands around it", () => {
    const shown = pointAt(`${"x".repeat(100)}?${"y".repeat(100)}`, 101);
    expect(shown).toBe(`…${"x".repeat(28)}?${"y".repeat(27)}…\n${" ".repeat(29)}^`);
  });
});
