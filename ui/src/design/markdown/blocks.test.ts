import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf } from "./blocks";

describe("U-904 blocks of markdown", () => {
  it.each([
    ["", []],
    ["one line", ["one line"]],
    ["one\nparagraph\n\nanother", ["one\nparagraph", "another"]],
    ["\n\n\nlate", ["late"]],
    ["```\na\n\nb\n```\n\nafter", ["```\na\n\nb\n```", "after"]],
    ["````\n```\n\nstill code", ["````\n```\n\nstill code"]],
    ["- a\n\n- b\n\n  more of b\n\nafter", ["- a\n\n- b\n\n  more of b", "after"]],
    ["1. a\n\n2. b", ["1. a\n\n2. b"]],
    ["# head\n\n| a | b |\n|---|---|\n| 1 | 2 |", ["# head", "| a | b |\n|---|---|\n| 1 | 2 |"]],
  ])("%j", (text, blocks) => expect(blocksOf(text)).toEqual(blocks));

  it("that are finished stay the same however the text grows", () => {
    const line = fc.constantFrom("word", "", "- item", "```", "  more", "# head", "1. one");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.array(line, { maxLength: 5 }), (text, more) => {
        const before = blocksOf(text.join("\n"));
        const after = blocksOf([...text, ...more].join("\n"));
        expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      }),
    );
  });
});
