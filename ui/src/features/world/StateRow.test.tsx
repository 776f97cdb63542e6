import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Signal } from "../../generated/bindings/Signal";
import { frame, poseSignal, worldRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { StateRow } from "./StateRow";

const ROW = worldRow("person.location");

const ASKED_MS = performance.now();

function show(observed_mono_ms: number, value = "hallway") {
  const station = fakeStation({ world_history: [] });
  const signal: Signal = {
    ...poseSignal("x", [0, 0, 0]),
    id: ROW.signal,
    value,
    confidence: 0.92,
    observed_mono_ms,
    max_age_ms: 1_000,
  };
  renderWith(
    station,
    <table>
      <tbody>
        <StateRow row={ROW} asked_ms={ASKED_MS} index={2} selected={false} />
      </tbody>
    </table>,
  );
  act(() => station.store.applyFrame(frame({ signals: [signal] }), performance.now()));
  return screen.getByTestId("world-row-person.location");
}

it("U-110 asks nothing about a row of another agent", async () => {
  const station = fakeStation({ world_history: [] });
  const rows = [ROW, { ...ROW, key: "oven.heat", signal: "world/night-watch/oven.heat" }];
  const body = rows.map((row) => <StateRow key={row.key} row={row} asked_ms={ASKED_MS} index={2} selected={false} />);
  const { settled } = renderWith(
    station,
    <table>
      <tbody>{body}</tbody>
    </table>,
  );
  await settled();
  expect(station.asked.filter(({ name }) => name === "world_history").map(({ input }) => input)).toMatchObject([
    { key: "person.location" },
  ]);
});

describe("U-102 a value on screen", () => {
  it("shows what was pushed, with its age and confidence", () => {
    const row = show(9_900);
    expect([row.dataset["freshness"], row.textContent]).toEqual([
      "live",
      "person.locationhallway0.92< 0.7 slab/cam-1/out/detections",
    ]);
  });

  it("has the whole of a long text in its title", () => {
    const row = show(9_900, "x".repeat(2_000));
    expect(row.querySelector("[title^=x]")?.getAttribute("title")).toHaveLength(2_000);
  });

  it("says how old it is once it is stale", () => {
    const row = show(8_000);
    expect([row.dataset["freshness"], row.textContent?.includes("hallway 2.0 s old")]).toEqual(["stale", true]);
  });

  it("is only remembered once it is lost", () => {
    const row = show(1_000);
    expect([row.dataset["freshness"], row.textContent?.includes("— (was hallway")]).toEqual(["lost", true]);
  });
});
