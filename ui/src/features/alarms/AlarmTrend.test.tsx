import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import { formatClock } from "../../design/format/time";
import { frame } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { AlarmTrend } from "./AlarmTrend";

it("the trend of an alarm ends now by the station's clock, whatever this desk's says", async () => {
  // The desk is ten minutes behind: by its own clock the line would end with the mark.
  const now_s = Math.floor(Date.now() / 1_000) + 600;
  const raised_at = now_s - 60;
  const alarm = { agent: "main", raised_at, values_now: [{ key: "oven.heat" }] } as AlarmRow;
  const point: WorldPoint = {
    kind: "value",
    value: 180,
    confidence: null,
    observed_ms: (raised_at - 5) * 1_000,
    received_ms: (raised_at - 5) * 1_000,
    source: "lab/oven",
  };
  const station = fakeStation({ world_history: [point] });
  station.store.applyFrame(frame({ wall_ms: now_s * 1_000 }), performance.now());
  const { settled } = renderWith(station, <AlarmTrend alarm={alarm} />);
  await settled();
  const [, to] = screen.getByTestId("history").querySelectorAll("figcaption span");
  expect(to?.textContent?.slice(0, 8)).toBe(formatClock(now_s * 1_000));
});
