import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import { fakeStation, renderWith } from "../../testing/station";
import { EntryHistory } from "./EntryHistory";

/** One value in every `every_ms` up to now. */
const points = (count: number, every_ms: number): WorldPoint[] =>
  Array.from({ length: count }, (_, at) => {
    const at_ms = Date.now() - (count - at) * every_ms;
    return { kind: "value", value: at, confidence: null, observed_ms: at_ms, received_ms: at_ms, source: "lab/x" };
  });

describe("U-1101 a history with more points than are asked for", () => {
  const show = (history: WorldPoint[]) =>
    renderWith(fakeStation({ world_history: history }), <EntryHistory entry="oven.heat" unit={null} />);

  it("says from when on it is drawn", async () => {
    const { settled } = show(points(1_000, 100));
    await settled();
    expect(screen.getByText(/^Only the newest 1,000 points are here/)).toBeTruthy();
  });

  it("says nothing where the points reach back as far as the span", async () => {
    const { settled } = show(points(1_000, 1_000));
    await settled();
    expect(screen.queryByText(/^Only the newest/)).toBeNull();
  });
});
