import { describe, expect, it } from "vitest";
import { hiddenMarks, lineEndsDiffer } from "./hidden-marks";

const marksOf = (text: string, showLineEnds = false) =>
  hiddenMarks(text, showLineEnds).map(({ from, to, kind, shown }) => [from, to, kind, shown]);

describe("ME-13 hidden characters of a text", () => {
  it.each([
    ["a\u200bb", [[1, 2, "invisible", "U+200B"]]],
    ["a\u00adb", [[1, 2, "invisible", "U+00AD"]]],
    ["a\u3164b", [[1, 2, "invisible", "U+3164"]]],
    ["\ufefftitle", [[0, 1, "invisible", "U+FEFF"]]],
    [
      "x\u202etac\u202c",
      [
        [1, 2, "direction", "U+202E"],
        [5, 6, "direction", "U+202C"],
      ],
    ],
    ["a\u2066b", [[1, 2, "direction", "U+2066"]]],
    ["a\u0007b", [[1, 2, "control", "U+0007"]]],
    ["a\u2028b", [[1, 2, "control", "U+2028"]]],
    ["speed:\u00a01", [[6, 7, "space", "U+00A0"]]],
    ["a\u{e0041}b", [[1, 3, "invisible", "U+E0041"]]],
    [
      "a  \nb\t",
      [
        [1, 3, "trailing", "␣␣"],
        [5, 6, "trailing", "⇥"],
      ],
    ],
    ["a \r\nb", [[1, 2, "trailing", "␣"]]],
    ["a\rb\n", [[1, 2, "control", "U+000D"]]],
    ["a\r", [[1, 2, "control", "U+000D"]]],
  ])("are marked with their code and kind: %j", (text, marks) => expect(marksOf(text)).toEqual(marks));

  it("are none in plain text, in letters that are joined, and in emoji", () => {
    expect(marksOf("goals:\n\t- Look at « 你好 » übers Eck — café\n")).toEqual([]);
    expect(marksOf("می\u200cخواهم 👩\u200d🔧 ❤\ufe0f 1\ufe0f")).toEqual([]);
    expect(marksOf("a\u200db")).toEqual([[1, 2, "invisible", "U+200D"]]);
    expect(marksOf("é\u200d\u200d\u200d")).toEqual([[3, 4, "invisible", "U+200D"]]);
  });

  it("are the ends of lines only where they differ, between the texts or within one", () => {
    expect(marksOf("a\r\nb\n", true)).toEqual([[1, 2, "line_end", "CR LF"]]);
    expect(marksOf("a\r\nb\n")).toEqual([]);
    expect(lineEndsDiffer("a\nb\n", "a\nc\n")).toBe(false);
    expect(lineEndsDiffer("a\r\nb\r\n", "a\r\nc\r\n")).toBe(false);
    expect(lineEndsDiffer("a\nb\n", "a\r\nb\r\n")).toBe(true);
    expect(lineEndsDiffer("a\r\nb\n", "a\r\nb\n")).toBe(true);
  });
});
