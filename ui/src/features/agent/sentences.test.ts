import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finished } from "./sentences";

describe("U-912 a reply is heard by sentences", () => {
  it.each([
    ["The arm is", 0, false, "", 0],
    ["The arm is ready.", 0, false, "", 0],
    ["The arm is ready. It wai", 0, false, "The arm is ready.", 18],
    ["The arm is ready. It waits.", 18, true, "It waits.", 27],
    ["x = 0.5 m now", 0, false, "", 0],
    ["- one\n- two\n- th", 0, false, "- one\n- two", 12],
  ])("%j from %d, whole: %s", (text, from, whole, said, upTo) =>
    expect(finished(text, from, whole)).toEqual({ said, upTo }),
  );

  it("and every word once, however it comes in pieces", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("one", " two", ". ", "!", "\n", " 0.5"), { maxLength: 30 }), (pieces) => {
        let [text, upTo, heard] = ["", 0, ""];
        for (const piece of pieces) {
          text += piece;
          const next = finished(text, upTo, false);
          [upTo, heard] = [next.upTo, heard + next.said];
        }
        heard += finished(text, upTo, true).said;
        expect(heard.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    ));
});
