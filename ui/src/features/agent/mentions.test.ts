import { describe, expect, it } from "vitest";
import { type Mention, mentionAt, mentioned, withMention } from "./mentions";

const NAMES: Mention[] = [
  { name: "arm-1", kind: "robot" },
  { name: "rover-1", kind: "robot" },
  { name: "calibrate-arm", kind: "mission" },
  { name: "person.location", kind: "key" },
];

describe("U-907 names after an @", () => {
  it.each([
    ["move @ar", 8, { from: 5, word: "ar" }],
    ["@", 1, { from: 0, word: "" }],
    ["a@b", 3, null],
    ["move @arm now", 13, null],
    ["move @Person.l", 14, { from: 5, word: "person.l" }],
  ])("in %j at %d", (text, caret, at) => expect(mentionAt(text, caret)).toEqual(at));

  it.each([
    ["ar", ["arm-1", "calibrate-arm"]],
    ["", ["arm-1", "rover-1", "calibrate-arm", "person.location"]],
    ["x", []],
  ])("%j offers %j", (word, names) => expect(mentioned(word, NAMES).map(({ name }) => name)).toEqual(names));

  it.each([
    ["move @ar", 8, "arm-1", "move arm-1 ", 11],
    ["move @ar to 1 0 1", 8, "arm-1", "move arm-1 to 1 0 1", 11],
  ])("%j becomes a bare name", (text, caret, name, after, then) => {
    const at = mentionAt(text, caret);
    expect(at && withMention(text, at, name)).toEqual({ text: after, caret: then });
  });
});
