import { describe, expect, it } from "vitest";
import { resultText, targetOf, verbOf, shortened } from "./tool-words";
import { readResult } from "./transcript-rows";

it("a text that fits no line is cut between letters, not within one", () =>
  expect(shortened(`${"a".repeat(39)}🤖🤖`)).toBe(`${"a".repeat(39)}🤖…`));

describe("V-02 U-901 a tool call in a line", () => {
  it.each([
    ["send_command", '{"robot":"arm-1","motion":{}}', "send command", "arm-1"],
    ["update_belief", '{"predicate":"location","subject":"person"}', "update belief", "person"],
    ["list_robots", "{}", "list robots", ""],
    ["list_robots", "not json", "list robots", ""],
    ["depot__read_shelf", { shelf: 3 }, "read shelf (depot)", ""],
    ["memory_search", { query: "x".repeat(60) }, "memory search", `${"x".repeat(40)}…`],
  ])("%s %j is “%s” of “%s”", (name, args, verb, target) =>
    expect([verbOf(name), targetOf(args)]).toEqual([verb, target]),
  );

  it.each([
    ['{"items":[1]}', "1 item"],
    ['{"items":[1,2]}', "2 items"],
    ['{"message":"Mission patrol paused"}', "Mission patrol paused"],
    ['{"state":"received"}', "received"],
    ['{"proposal":{}}', "asks for approval"],
    ["words", "done"],
  ])("of %s comes “%s”", (content, text) => expect(resultText(readResult(content, "{}"))).toBe(text));
});
