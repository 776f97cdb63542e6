import { describe, expect, it } from "vitest";
import { indented } from "./indented";

describe("a sample as it came", () => {
  it("is indented", () => {
    const value = { a: [1, { b: 'x: [1, 2] "y" \\' }], c: {}, d: [], e: null, f: [[true]] };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 7)])
      expect(indented(text)).toBe(JSON.stringify(value, null, 2));
  });
  it("keeps every digit", () =>
    expect(indented('{"stamp_ns":1772990120000000001,"gain":1.0}')).toBe(
      '{\n  "stamp_ns": 1772990120000000001,\n  "gain": 1.0\n}',
    ));
  it("keeps what is said twice", () => expect(indented('{"a":1,"a":2}')).toBe('{\n  "a": 1,\n  "a": 2\n}'));
  it("that is cut off stays as it is", () => expect(indented('{"a":[1,')).toBe('{"a":[1,'));
  it("of one value is that", () => expect(indented(' "x" ')).toBe('"x"'));
});
