import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pieces, termsOf } from "./highlight";
import { NOTHING, searchOf } from "./search-draft";
import { wordDiff } from "./word-diff";

const hits = (text: string, query: string) =>
  pieces(text, termsOf(query))
    .filter(({ hit }) => hit)
    .map((piece) => piece.text);

describe("E2-05 what was looked for is marked", () => {
  it.each([
    ["The Toddler is near the stairs.", "toddler STAIRS", ["Toddler", "stairs"]],
    ["Küche und Kuche", "kuche", ["Küche", "Kuche"]],
    ["stairway", "stairs", []],
    ["a (b) [c]", '"b" c*', ["b", "c"]],
    ["nothing", "", []],
    ["arm-1 saw 1 cup; arm 1", "arm-1", ["arm-1", "arm"]],
    ["the 1 of arm-1", "1", ["1", "1"]],
  ])("FU-27 in %o for %o", (text, query, marked) => expect(hits(text, query)).toEqual(marked));

  it("and the pieces are the text", () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, query) => {
        const whole = pieces(text, termsOf(query)).map((piece) => piece.text);
        expect(whole.join("")).toBe(text);
      }),
    ));
});

describe("E2-09 what the station is asked for", () => {
  it("is nothing without a word", () => expect(searchOf({ ...NOTHING, query: "  " })).toBe(null));
  it("has only what was filled in", () =>
    expect(searchOf({ ...NOTHING, query: " stairs " })).toEqual({ query: "stairs", limit: 50, match: "any" }));
  it("takes in the whole of the last day", () => {
    const asked = searchOf({
      ...NOTHING,
      query: "x",
      role: "alert",
      since: "2026-03-08",
      until: "2026-03-08",
      mission: "patrol",
    });
    expect(asked).toMatchObject({ role: "alert", mission_id: "patrol" });
    expect(Date.parse(asked?.until ?? "") - Date.parse(asked?.since ?? "")).toBe(86_400_000);
  });
});

describe("PN-06 before and after", () => {
  const text = (before: string, after: string) =>
    wordDiff(before, after).map((piece) => `${piece.kind[0]}:${piece.text}`);
  it.each([
    ["the door is open", "the door is shut", ["s:the door is ", "r:open", "a:shut"]],
    ["", "all new", ["a:all new"]],
    ["same", "same", ["s:same"]],
    ["gone", "", ["r:gone"]],
  ])("of %o and %o", (before, after, shown) => expect(text(before, after).toSorted()).toEqual(shown.toSorted()));

  it("each side is whole", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a ", "b ", "c\n")),
        fc.array(fc.constantFrom("a ", "b ", "d")),
        (old, now) => {
          const diff = wordDiff(old.join(""), now.join(""));
          const side = (without: string) =>
            diff
              .filter(({ kind }) => kind !== without)
              .map((piece) => piece.text)
              .join("");
          expect([side("added"), side("removed")]).toEqual([old.join(""), now.join("")]);
        },
      ),
    ));
});
