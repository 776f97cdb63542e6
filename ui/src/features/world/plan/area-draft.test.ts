import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cornersOf, cornersProblem, cornersText, nameProblem, parseCorners } from "./area-draft";

describe("U-1111 an area of the site plan", () => {
  it("U-1111 has its corners as lines of text, with either decimal mark", () => {
    const corners = [
      [0.5, -1],
      [3, -1],
      [3, 2],
    ] as const;
    expect(parseCorners(cornersText(corners))).toEqual(corners);
    expect(parseCorners("0,5 -1\n3; -1\n\n3, 2\n")).toEqual(corners);
    expect(cornersProblem("0 0\n1 0")).not.toBeNull();
    expect(cornersProblem("0 0\n1 0\nhere")).not.toBeNull();
    expect(cornersProblem("0 0\n1 0\n1 1 1")).not.toBeNull();
    expect(cornersProblem("0 0\n1 0\n1 1")).toBeNull();
  });

  describe("in a German window", () => {
    beforeEach(() => {
      vi.stubGlobal("localStorage", { getItem: () => "de" });
      vi.stubGlobal("navigator", { languages: ["de-DE"] });
      vi.resetModules();
    });
    afterEach(() => {
      vi.unstubAllGlobals();
    });

    it("U-1111 has corners to the millimetre that can be read again", async () => {
      const { cornersText: textOf, parseCorners: parse } = await import("./area-draft");
      expect(textOf([[5.125, -3]])).toBe("5,125 -3");
      expect(parse(textOf([[5.125, -3]]))).toEqual([[5.125, -3]]);
    });
  });

  it("U-1111 is drawn as a rectangle", () => {
    const box = { KeepOutBox: { min: [-1.004, 0, -0.5], max: [2, 1.5, 2] } } as const;
    expect(cornersOf({ KeepOutBox: { min: [...box.KeepOutBox.min], max: [...box.KeepOutBox.max] } })).toEqual([
      [-1, 0],
      [2, 0],
      [2, 1.5],
      [-1, 1.5],
    ]);
  });

  it("U-1111 has a name of its own", () => {
    const others = [{ name: "dock", corners: [] }];
    expect(nameProblem("stairs", others)).toBeNull();
    for (const name of ["", "  ", "dock", " dock ", "x".repeat(61)])
      expect(nameProblem(name, others), name).not.toBeNull();
  });
});
