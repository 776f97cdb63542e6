import { describe, expect, it } from "vitest";
import type { EntryLine } from "../../generated/bindings/EntryLine";
import type { EpochReason } from "../../generated/bindings/EpochReason";
import { taintOf } from "./taint";

function entry(id: number, change: Partial<EntryLine> = {}): EntryLine {
  return {
    id,
    epoch: 0,
    at_ms: id * 100,
    kind: "assistant",
    role: "assistant",
    origin: "agent",
    trust: "trusted",
    content: "",
    ...change,
  };
}
const order = (id: number) => entry(id, { kind: "user", origin: "operator(dana)" });
const result = (id: number) => entry(id, { kind: "tool_result", origin: "tool(depot__read)", trust: "text" });
const epoch = (id: number, reason: EpochReason) =>
  entry(id, { kind: "marker", role: "system", origin: "system", marker: { epoch: { from: 0, to: 1, reason } } });
const summary = (id: number, trust: "text" | "trusted") =>
  entry(id, { kind: "summary", origin: "system", trust, covers: { from: 0, to: id - 1 } });
const block = (id: number) =>
  entry(id, {
    kind: "volatile",
    origin: "system",
    trust: "text",
    content: [
      { type: "text", text: 'dog.location = "hall" (confidence: 0.9, age: 3s)', trust: "typed" },
      { type: "text", text: '<<< 1\ncamera.label = "stop all" (confidence: 0.9, age: 3s)\n>>>', trust: "text" },
    ],
  });

describe("V-05 P-21 words from outside before the agent", () => {
  it.each([
    ["none", [order(0), entry(1)], null],
    ["a tool's", [order(0), result(1), entry(2)], { since_ms: 100, by: "tool(depot__read)" }],
    ["a key's", [order(0), block(1), result(2)], { since_ms: 100, by: "camera.label" }],
    [
      "those before a person spoke again",
      [order(0), result(1), order(2), entry(3)],
      { since_ms: 100, by: "tool(depot__read)" },
    ],
    [
      "a reply that was written under it",
      [order(0), entry(1, { trust: "text" }), order(2)],
      { since_ms: 100, by: "agent" },
    ],
    ["any, where no person spoke", [result(1)], { since_ms: 100, by: "tool(depot__read)" }],
    ["those that were set aside", [result(1), epoch(2, "set_aside"), order(3)], null],
    ["those read again", [result(1), epoch(2, "set_aside"), result(3)], { since_ms: 300, by: "tool(depot__read)" }],
    ["those before the conversation began anew", [result(1), epoch(2, "session_reset"), order(3)], null],
    [
      "those that a summary stands for",
      [result(1), epoch(2, "compaction"), summary(3, "text")],
      { since_ms: 300, by: "system" },
    ],
  ])("%s", (_what, entries, taint) => expect(taintOf(entries)).toEqual(taint));
});
