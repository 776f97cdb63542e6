import { describe, expect, it } from "vitest";
import { inQueueOrder } from "../../shared/proposal/proposal-state";
import { proposal } from "../../shared/testing/fixtures";
import { freeze } from "./frozen-queue";

const ids = (cards: readonly { id: string }[]) => cards.map(({ id }) => id);

describe("U-1201 the queue", () => {
  it("sorts by tier, then by time left", () => {
    const cards = [
      proposal({ id: "low", tier: "low", expires_mono_ms: 1 }),
      proposal({ id: "late", tier: "high", expires_mono_ms: 9 }),
      proposal({ id: "soon", tier: "high", expires_mono_ms: 2 }),
    ];
    expect(ids(inQueueOrder(cards))).toEqual(["soon", "late", "low"]);
  });

  it("keeps its order under the hand and lets new cards wait behind", () => {
    const { visible, behind } = freeze([proposal({ id: "new" }), proposal({ id: "b" }), proposal({ id: "a" })], ["a", "b"]);
    expect([ids(visible), behind]).toEqual([["a", "b"], 1]);
  });

  it("lets a decided card go", () => expect(freeze([proposal({ id: "b" })], ["a", "b"])).toMatchObject({ behind: 0 }));
});
