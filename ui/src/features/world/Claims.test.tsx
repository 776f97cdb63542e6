import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClaimRow } from "../../generated/bindings/ClaimRow";
import { worldRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Claims } from "./Claims";

const ROW = worldRow("person.location");
const CLAIM: ClaimRow = {
  value: "hallway",
  confidence: 0.9,
  source: "lab/cam-2/out/detections",
  instance: null,
  provider: "cp-2",
  age_ms: 2_000,
  freshness: "live",
  source_ms: null,
  received_ms: 0,
  flags: ROW.flags,
};

function show(change: Partial<ClaimRow>) {
  const station = fakeStation();
  renderWith(station, <Claims entry={ROW} claims={[{ ...CLAIM, ...change }]} asked_ms={performance.now()} />);
  return (passed_ms: number) =>
    act(() => {
      vi.advanceTimersByTime(passed_ms);
      station.store.tick(performance.now());
    });
}

const line = () => screen.getByRole("row", { name: /cam-2/ });

describe("U-102 what a source says", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(2026, 2, 8, 14, 3, 20) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is old once the station is silent", () => {
    const wait = show({});
    expect(line().textContent).toContain("hallway0.90");
    wait(1_500);
    expect(line().textContent).toContain("hallway 3.5 s old");
  });

  it("was seen when it was, however long one looks at it", () => {
    const wait = show({ freshness: "lost", age_ms: 60_000 });
    expect(line().textContent).toContain("14:02:20");
    wait(120_000);
    expect(line().textContent).toContain("14:02:20");
  });
});
