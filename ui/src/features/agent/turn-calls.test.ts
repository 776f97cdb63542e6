import { describe, expect, it } from "vitest";
import { modelCall } from "../../testing/model-calls";
import { answersOf, costOf } from "./turn-calls";

const CALLS = [
  modelCall({ id: "mc-1", turn: "t-1", began_ms: 1_000, cost_microusd: 40 }),
  modelCall({ id: "mc-2", turn: "t-1", began_ms: 2_000, cost_microusd: 60, purpose: "router" }),
  modelCall({ id: "mc-3", turn: "t-2", began_ms: 5_000, cost_microusd: null }),
  modelCall({ id: "mc-4", turn: "t-3", began_ms: 5_500, session: "autonomy" }),
  modelCall({
    id: "mc-5",
    turn: "t-4",
    began_ms: 7_000,
    provider: "",
    model: "quarterdeck-commands",
    cost_microusd: 0,
  }),
];

describe("V-03 K-01 who found the words of a reply", () => {
  it.each([
    [500, null],
    [2_500, { turn: "t-1", model: { name: "small", kind: "language" }, cost_microusd: 100 }],
    [6_000, { turn: "t-2", model: { name: "small", kind: "language" }, cost_microusd: null }],
    [9_000, { turn: "t-4", model: { name: "quarterdeck-commands", kind: "interpreter" }, cost_microusd: 0 }],
  ])("at %d ms", (at_ms, answered) => expect(answersOf("s-1", CALLS)({ at_ms, turn: null })).toEqual(answered));

  it("a reply whose call is not in the ledger yet is not taken for that of an earlier turn", () => {
    const answers = answersOf("s-1", [modelCall({ began_ms: 1_000, ended_ms: 1_500 })]);
    expect([answers({ at_ms: 1_510, turn: null })?.turn, answers({ at_ms: 9_000, turn: null })]).toEqual(["t-1", null]);
  });

  it("a reply that names its turn is that turn's, however soon after another it came and however late the ledger is", () => {
    const answers = answersOf("s-1", CALLS);
    expect([answers({ at_ms: 5_100, turn: "t-5" }), answers({ at_ms: 9_000, turn: "t-2" })?.turn]).toEqual([
      null,
      "t-2",
    ]);
  });

  it("a sum with an unknown price is unknown, never too small", () =>
    expect([costOf([]), costOf(CALLS)]).toEqual([0, null]));
});
