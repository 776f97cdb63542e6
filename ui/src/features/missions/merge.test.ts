import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conflictsIn, mergeTexts } from "./merge";

const BASE = "---\nid: walk\n---\n# Walk\n\nGo to the dock.\nWait there.\nCome back.\n";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "d\r\n", "\n"), { maxLength: 12 })
  .map((lines) => lines.join(""));

describe("ME-08 merging a file that was changed on both sides", () => {
  it("keeps changes of different lines, whoever made them", () => {
    const mine = BASE.replace("Go to the dock.", "Go to the loading dock.");
    const theirs = BASE.replace("Come back.\n", "Come back slowly.\nReport.\n");
    const merged = mergeTexts(BASE, mine, theirs);
    expect(merged).toBe(
      BASE.replace("Go to the dock.", "Go to the loading dock.").replace(
        "Come back.\n",
        "Come back slowly.\nReport.\n",
      ),
    );
    expect(conflictsIn(merged)).toBe(0);
  });

  it("sets both between marks where the same line was changed in two ways", () => {
    const merged = mergeTexts(BASE, BASE.replace("Wait there.", "Wait 5 s."), BASE.replace("Wait there.", "Wait 9 s."));
    expect(merged).toContain("<<<<<<< mine\nWait 5 s.\n=======\nWait 9 s.\n>>>>>>> theirs\n");
    expect(conflictsIn(merged)).toBe(1);
  });

  it("takes other ends of every line for no change of the lines", () => {
    const windows = (text: string) => text.replaceAll("\n", "\r\n");
    const mine = windows(BASE.replace("Go to the dock.", "Go to the yard."));
    const theirs = BASE.replace("Come back.", "Come home.");
    expect(mergeTexts(windows(BASE), mine, theirs)).toBe(theirs.replace("Go to the dock.", "Go to the yard."));
  });

  it("sets a mark on a line of its own behind a text without a last line end", () => {
    expect(mergeTexts("a", "b", "c")).toBe("<<<<<<< mine\nb\n=======\nc\n>>>>>>> theirs\n");
  });

  it("gives one side's text byte by byte where the other has changed nothing, or the same", () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts(base, changed, base)).toBe(changed);
        expect(mergeTexts(base, base, changed)).toBe(changed);
        expect(mergeTexts(base, changed, changed)).toBe(changed);
      }),
    );
  });
});
