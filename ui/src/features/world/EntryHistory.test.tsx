import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import { formatClock } from "../../design/format/time";
import { frame, worldRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { EntryHistory } from "./EntryHistory";

const ROW = worldRow("oven.heat", { updated_at: null, age_ms: null });

/** One value in every `every_ms` up to now. */
const points = (count: number, every_ms: number, now_ms = Date.now()): WorldPoint[] =>
  Array.from({ length: count }, (_, at) => {
    const at_ms = now_ms - (count - at) * every_ms;
    return { kind: "value", value: at, confidence: null, observed_ms: at_ms, received_ms: at_ms, source: "lab/x" };
  });

describe("U-1101 a history with more points than are asked for", () => {
  const show = (history: WorldPoint[]) =>
    renderWith(fakeStation({ world_history: history }), <EntryHistory row={ROW} />);

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

it("a history ends now by the station's clock, whatever this desk's says", async () => {
  // The desk is ten minutes behind: by its own clock every point would lie in the future.
  const now_ms = Math.floor(Date.now() / 1_000) * 1_000 + 600_000;
  const station = fakeStation({ world_history: points(10, 1_000, now_ms) });
  station.store.applyFrame(frame({ wall_ms: now_ms }), performance.now());
  const { settled } = renderWith(station, <EntryHistory row={ROW} />);
  await settled();
  const [, to] = screen.getByTestId("history").querySelectorAll("figcaption span");
  expect(to?.textContent?.slice(0, 8)).toBe(formatClock(now_ms + 1_000));
});
