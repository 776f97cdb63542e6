import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { EventRow } from "../../generated/bindings/EventRow";
import { speak } from "../../locales/i18n";
import { fakeStation, renderWith } from "../../testing/station";
import { Events } from "./Events";

const event = (seq: number, change: Partial<EventRow> = {}): EventRow => ({
  seq,
  agent: null,
  happened_at: 1_772_990_000,
  code: "link_back",
  sentence: `rover-${seq} answers again.`,
  count: 1,
  ...change,
});

async function show(rows: readonly EventRow[]) {
  const station = fakeStation({ list_events: ({ limit }: { limit: number }) => rows.slice(0, limit) });
  const { settled } = renderWith(station, <Events />);
  await settled();
  return { settled, limits: () => station.asked.map(({ input }) => (input as { limit: number }).limit) };
}

const shown = () => screen.queryAllByTestId(/^event-\d+$/).map((row) => row.querySelector("th")?.textContent);

describe("U-1302 U-105 events", () => {
  it("are told with their time and code, whose they are and how often they came", async () => {
    await show([event(2, { agent: "main", count: 3 }), event(1)]);
    expect([shown(), screen.getByTestId("event-1").textContent]).toEqual([
      ["rover-2 answers again.agent main · 3 times", "rover-1 answers again."],
      expect.stringMatching(/2026.*link_back$/),
    ]);
  });

  it("are found by their words and by their code", async () => {
    await show([event(2, { code: "mission_begun", sentence: "Patrol has begun." }), event(1)]);
    const look = (words: string) => fireEvent.change(screen.getByTestId("event-filter"), { target: { value: words } });
    look("PATROL");
    expect(shown()).toEqual(["Patrol has begun."]);
    look("link_");
    expect(shown()).toEqual(["rover-1 answers again."]);
    look("nothing like it");
    expect([shown(), screen.getByText("No event matches").tagName]).toEqual([[], "P"]);
  });

  it("that are older come when they are asked for", async () => {
    const { settled, limits } = await show(Array.from({ length: 120 }, (_, seq) => event(seq)));
    expect(shown()).toHaveLength(100);
    fireEvent.click(screen.getByTestId("events-older"));
    await settled();
    expect([shown().length, screen.queryByTestId("events-older"), limits()]).toEqual([120, null, [100, 1_000]]);
  });

  it("that are older are found by their words too", async () => {
    const older = event(119, { sentence: "Patrol has begun." });
    const { settled } = await show([...Array.from({ length: 110 }, (_, seq) => event(seq)), older]);
    fireEvent.change(screen.getByTestId("event-filter"), { target: { value: "patrol" } });
    await settled();
    expect(shown()).toEqual(["Patrol has begun."]);
  });

  it("say what they are when there is none", async () => {
    await show([]);
    expect(screen.getByText("Nothing has happened yet").tagName).toBe("P");
  });

  it("U-2006 are said in the window's language by their code, with the station's sentence beside them", async () => {
    await speak("de");
    await show([event(2, { code: "pose_stale", sentence: "arm-1: The pose is too old." }), event(1)]);
    expect(shown()).toEqual(["Pose zu altarm-1: The pose is too old.", "rover-1 answers again."]);
    await act(() => speak("en"));
  });
});
