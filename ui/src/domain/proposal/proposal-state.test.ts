import { expect, it } from "vitest";
import { proposal } from "../../testing/fixtures";
import { inQueueOrder } from "./proposal-state";

it("U-1201 the queue is sorted by tier, then by time left", () => {
  const cards = [
    proposal({ id: "low", tier: "low", expires_mono_ms: 1 }),
    proposal({ id: "late", tier: "high", expires_mono_ms: 9 }),
    proposal({ id: "soon", tier: "high", expires_mono_ms: 2 }),
  ];
  expect(inQueueOrder(cards).map(({ id }) => id)).toEqual(["soon", "late", "low"]);
});
