import { describe, expect, it } from "vitest";
import { paletteEntries, searchPath, wordsFrom } from "./palette-entries";

describe("the palette", () => {
  it("offers every place while nothing is written", () =>
    expect(paletteEntries("", [], []).map(({ to }) => to)).toContain("/jobs"));
  it("offers places by name, and a search of memory for the words", () =>
    expect(paletteEntries("mem", [], []).map(({ to }) => to)).toEqual(["/memory", "/memory/search/mem"]));
  it.each(["toddler stairs", "a/b?c#d", "100 %"])("%o comes back from the address", (words) => {
    const part = searchPath(words).slice("/memory/search/".length);
    expect([wordsFrom(part), wordsFrom(decodeURI(part))]).toEqual([words, words]);
  });
});
