import { expect, it } from "vitest";
import type { ViewLayout } from "../../generated/bindings/ViewLayout";
import { partsOf, plainText } from "./view-parts";

const LAYOUT: ViewLayout = {
  epoch: 0,
  system: ["h1"],
  tools: "h2",
  choice: "auto",
  output_max: 1_024,
  transient_from: null,
  messages: [
    {
      speaker: "user",
      origin: "operator(dana)",
      entry: 4,
      blocks: [{ kind: "text", hash: "h3", trust: "trusted" }],
      replayed: null,
    },
    {
      speaker: "assistant",
      origin: "agent",
      entry: 5,
      blocks: [{ kind: "call", id: "c1", name: "list_robots", hash: "h4" }],
      replayed: null,
    },
    {
      speaker: "tool",
      origin: "tool(cam)",
      entry: 6,
      blocks: [{ kind: "result", call: "c1", hash: "gone", is_error: false, trust: "text" }],
      replayed: null,
    },
  ],
};
const TEXTS = { h1: "You supervise robots.", h2: "[]", h3: "status", h4: "{}" };

it("V-03 shows the parts of a call in the order in which the model read them", () => {
  const parts = partsOf(LAYOUT, TEXTS);
  expect(
    parts.map(({ speaker, entry, texts }) => [speaker, entry, ...texts.map(({ text, trust }) => `${trust}: ${text}`)]),
  ).toEqual([
    ["system", null, "null: You supervise robots."],
    ["tools", null, "null: []"],
    ["user", 4, "trusted: status"],
    ["assistant", 5, "null: list_robots {}"],
    ["tool", 6, "text: [gone]"],
  ]);
  expect(plainText(parts).split("\n").slice(0, 2)).toEqual(["--- system", "You supervise robots."]);
});
