import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { alarmRow, frame } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { BackBanner } from "./BackBanner";

const record = (seq: number, operation: string, detail: string) => ({
  seq,
  at_wall: 1_772_990_000_000 + seq * 1_000,
  operation,
  outcome: "ok",
  detail,
});

let visibility: DocumentVisibilityState = "visible";
let now_ms = 0;

beforeEach(() => {
  now_ms = 1_772_990_000_000;
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  vi.spyOn(Date, "now").mockImplementation(() => now_ms);
});
afterEach(() => void vi.restoreAllMocks());

const turn = (to: DocumentVisibilityState, after_ms: number) => {
  now_ms += after_ms;
  visibility = to;
  act(() => void fireEvent(document, new Event("visibilitychange")));
};

/** A desk that was out of sight for `gone_ms`, in which `came` arrived. */
async function away(gone_ms: number, came: { records?: unknown[]; alarms?: unknown[] }) {
  const records = [record(1, "stop", "stop_id=1 robots=arm-1")];
  const alarms = [alarmRow("old", { seq: 4 })];
  const station = fakeStation({
    list_audit: ({ after = 0 }: { after?: number }) => records.filter(({ seq }) => seq > after),
    list_alarms: () => [...alarms],
  });
  const { hook, history } = memoryLocation({ path: "/", record: true });
  const view = renderWith(
    station,
    <Router hook={hook}>
      <BackBanner />
    </Router>,
  );
  await view.settled();
  turn("hidden", 0);
  records.push(...((came.records ?? []) as typeof records));
  alarms.push(...((came.alarms ?? []) as typeof alarms));
  turn("visible", gone_ms);
  await view.settled();
  // This comes after the return.
  records.push(record(99, "stop", "stop_id=99 robots=arm-1"));
  await view.queries.invalidateQueries();
  await view.settled();
  return { history, view };
}

describe("U-507 back after a gap", () => {
  const came = {
    records: [
      record(2, "list_robots", ""),
      record(3, "activate_mission", "mission_id=patrol"),
      record(4, "stop", "stop_id=2 robots=arm-1"),
    ],
    alarms: [alarmRow("smoke", { seq: 9, raised_at: 1_772_990_001 })],
  };

  it("counts what came in it, and lists exactly that in order", async () => {
    const { history } = await away(130_000, came);
    expect(screen.getByTestId("back").textContent).toContain(
      "Back after 2 min 10 s. 1 stop or release, 1 alarm, 1 mission change",
    );
    fireEvent.click(screen.getByTestId("back-review"));
    const links = screen.getAllByRole("link");
    expect(links.map(({ textContent }) => textContent)).toEqual(["smoke happened", "patrol activated", "stop #2"]);
    fireEvent.click(screen.getByText("patrol activated"));
    expect([history.at(-1), screen.queryByTestId("back-list")]).toEqual(["/missions/patrol", null]);
    fireEvent.click(screen.getByTestId("back-done"));
    expect(screen.queryByTestId("back")).toBeNull();
  });

  it("says nothing of a glance elsewhere, nor of a gap in which nothing came", async () => {
    await away(30_000, came);
    expect(screen.queryByTestId("back")).toBeNull();
    await away(130_000, {});
    expect(screen.queryByTestId("back")).toBeNull();
  });

  it("does not count what was seen after a return that there was nothing to say about", async () => {
    const { view } = await away(130_000, {});
    turn("hidden", 3_600_000);
    turn("visible", 61_000);
    await view.settled();
    expect(screen.queryByTestId("back")).toBeNull();
  });

  it("counts what came in two gaps, and nothing of what was seen between them", async () => {
    const records = [record(1, "stop", "stop_id=1")];
    const station = fakeStation({
      list_audit: ({ after = 0 }: { after?: number }) => records.filter(({ seq }) => seq > after),
      list_alarms: [],
    });
    const view = renderWith(station, <BackBanner />);
    await view.settled();
    const gap = async (came: (typeof records)[number]) => {
      turn("hidden", 0);
      records.push(came);
      turn("visible", 130_000);
      await view.settled();
    };
    await gap(record(2, "stop", "stop_id=2"));
    records.push(record(3, "stop", "stop_id=3"), record(4, "stop", "stop_id=4"));
    await act(() => view.queries.invalidateQueries());
    await view.settled();
    await gap(record(5, "stop", "stop_id=5"));
    fireEvent.click(screen.getByTestId("back-review"));
    expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["stop #2", "stop #5"]);
  });

  it("reads one record until then, and afterwards those of the gap alone", async () => {
    const station = fakeStation({ list_audit: [record(7, "list_robots", "")], list_alarms: [] });
    const view = renderWith(station, <BackBanner />);
    await view.settled();
    turn("hidden", 0);
    turn("visible", 130_000);
    await view.settled();
    const asked = station.asked.filter(({ name }) => name === "list_audit").map(({ input }) => input);
    expect(asked).toEqual([{ limit: 1 }, { after: 7, limit: 1_000 }]);
  });

  it("says how long contact was lost once both lists were read again, also if nothing came", async () => {
    const station = fakeStation({ list_audit: [record(1, "stop", "stop_id=1")], list_alarms: [] });
    const view = renderWith(station, <BackBanner />);
    await view.settled();
    const pass = (local_ms: number) => act(() => station.store.tick(local_ms));
    const begun_ms = performance.now();
    for (let ms = 0; ms <= 1_500; ms += 500) pass(begun_ms + ms);
    now_ms += 12_000;
    act(() => station.store.applyFrame(frame({ seq: 2, mono_ms: 22_000 }), begun_ms + 1_600));
    expect(screen.queryByTestId("back")).toBeNull();
    await view.settled();
    expect(screen.getByTestId("back").textContent).toContain(
      "Contact again after 12 s. Nothing was recorded in that time.",
    );
  });
});
