import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DrillRow } from "../../generated/bindings/DrillRow";
import { frame } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { DrillSection } from "./DrillSection";

const HOUR_MS = 3_600_000;

/** A test of the stop path that many hours ago. */
function drill(hours: number, change: Partial<DrillRow> = {}): DrillRow {
  const at = Date.now() - hours * HOUR_MS;
  return { stop_id: 7, robot: "arm-1", by: "dana", at, acked_after_ms: 4.2, standstill_after_ms: 640, ...change };
}

function show(drills: DrillRow[], unanswered: string[] = []) {
  const station = fakeStation({ list_drills: drills, run_stop_drill: { drill: drill(0), unanswered, released: true } });
  const view = renderWith(station, <DrillSection robot="arm-1" />);
  const says = (text: string) => waitFor(() => expect(view.container.textContent).toContain(text));
  return { station, view, says };
}

describe("U-616 the stop test of a robot", () => {
  it.each([
    ["never", [], "never been tested"],
    ["more than a shift ago", [drill(13)], "13 h 00 min ago"],
    ["without an acknowledgement", [drill(1, { acked_after_ms: null })], "did not confirm"],
    ["without a standstill", [drill(1, { standstill_after_ms: null })], "did not confirm"],
  ])("says so when it was tested %s", async (_when, drills, said) => {
    await show(drills).says(said);
  });

  it("shows what the newest took, and reminds of nothing within a shift", async () => {
    const { view, says } = show([drill(1)]);
    await says("4 ms");
    await says("640 ms");
    expect(view.container.textContent).not.toContain("each shift");
  });

  it("RG-33 names what did not answer the stop behind the robot's gate", async () => {
    const { says } = show([], ["/arm/halt"]);
    fireEvent.click(screen.getByTestId("drill-arm-1"), { detail: 0 });
    await says("/arm/halt");
  });

  it("grows old on the screen", async () => {
    const { station, view } = show([drill(1, { at: 9 * HOUR_MS })]);
    await view.settled();
    const at = (wall_ms: number) => act(() => station.store.applyFrame(frame({ wall_ms }), performance.now()));
    at(10 * HOUR_MS);
    expect(view.container.textContent).toContain("1 h 00 min ago");
    at(25 * HOUR_MS);
    expect(view.container.textContent).toContain("16 h 00 min ago");
  });

  it("says why it cannot be listed", async () => {
    const view = renderWith(fakeStation(), <DrillSection robot="arm-1" />);
    await waitFor(() => expect(view.container.textContent).toContain("unknown_operation"), { timeout: 3_000 });
  });

  it("is run by a press", async () => {
    const { station } = show([]);
    fireEvent.click(screen.getByTestId("drill-arm-1"), { detail: 0 });
    await waitFor(() => expect(station.asked).toContainEqual({ name: "run_stop_drill", input: { robot: "arm-1" } }));
  });
});
