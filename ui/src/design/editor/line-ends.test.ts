import { expect, it } from "vitest";
import { endedLike, plainEnds } from "./line-ends";

it.each([
  ["a\r\nb\r\n", "a\nB\n", "a\r\nB\r\n"],
  ["a\nb\n", "a\nB\n", "a\nB\n"],
  ["a\r\nb\n", "a\nb\n", "a\r\nb\n"],
  ["a\r\nb\n", "a\nB\n", "a\nB\n"],
])("MI-04 %j, edited to %j, is saved as %j", (file, edited, saved) => {
  expect(endedLike(file, edited)).toBe(saved);
});

it("an editor sees one kind of line ends", () => {
  expect(plainEnds("a\r\nb\rc\n")).toBe("a\nb\nc\n");
});
