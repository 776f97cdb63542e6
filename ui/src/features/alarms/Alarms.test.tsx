import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { HostError } from "../../host/host";
import { alarmRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { AlarmList } from "./AlarmList";

beforeEach(() => localStorage.clear());

const COUNTS = { active: 2, unacknowledged: 2, shelved: 3, suppressed: 0, out_of_service: 0, flood: null };

function show(
  rows: readonly AlarmRow[],
  {
    selected = null,
    role = "operator",
    answers = {},
  }: { selected?: string | null; role?: "viewer" | "operator" | "admin"; answers?: Record<string, unknown> } = {},
) {
  const station = fakeStation(
    {
      list_alarms: () => [...rows],
      alarm_figures: { now: COUNTS },
      list_events: [],
      acknowledge_alarms: { alarms: [] },
      ...answers,
    },
    { role },
  );
  const { hook, history } = memoryLocation({ path: "/alarms", record: true });
  const { queries, settled } = renderWith(
    station,
    <Router hook={hook}>
      <AlarmList preset="active" selected={selected} />
    </Router>,
  );
  const again = async () => {
    await act(() => queries.invalidateQueries());
    await settled();
  };
  return { station, history, again };
}

const asked = (station: ReturnType<typeof fakeStation>, name: string) =>
  station.asked.filter((call) => call.name === name).map(({ input }) => input);
const press = (key: string) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));

describe("the alarm list", () => {
  it("U-1302 shows what to do beside what happened, and how many are hidden", async () => {
    show([alarmRow("am-1", { count: 3, flags: { ...alarmRow("x").flags, source_stale: true } })]);
    const row = await screen.findByTestId("alarm-am-1");
    for (const text of [
      "am-1 happened",
      "Switch the oven off.",
      "oven.smoke > 0.3",
      "Active, unacknowledged, source stale",
      "3 times",
    ])
      expect(row.textContent).toContain(text);
    await screen.findByRole("radio", { name: "Shelved 3" });
  });

  it("U-1309 keeps a new alarm back under the hand until it is let in", async () => {
    const rows = [alarmRow("am-1")];
    const { again } = show(rows);
    (await screen.findByText("am-1 happened")).focus();
    rows.unshift(alarmRow("am-2"));
    await again();
    expect(screen.queryByTestId("alarm-am-2")).toBeNull();
    fireEvent.click(screen.getByTestId("let-in"));
    expect(screen.getByTestId("alarm-am-2")).toBeTruthy();
    expect(screen.queryByTestId("let-in")).toBeNull();
  });

  it("U-1309 says so when it is empty", async () => {
    show([]);
    await screen.findByText("No active alarms");
  });

  it("U-1309 arrows go from alarm to alarm, A acknowledges the one with the focus", async () => {
    const { station } = show([alarmRow("am-1", { seq: 5 }), alarmRow("am-2", { seq: 7 })]);
    (await screen.findByText("am-1 happened")).focus();
    await press("ArrowDown");
    await press("a");
    await waitFor(() => expect(asked(station, "acknowledge_alarms")).toEqual([{ ids: ["am-2"], seq: 7 }]));
  });

  it("U-1303 acknowledges the page that is in sight", async () => {
    const { station } = show([
      alarmRow("am-1", { seq: 5 }),
      alarmRow("am-2", { seq: 7 }),
      alarmRow("am-3", { state: "ack_active", seq: 9 }),
    ]);
    await act(async () => void fireEvent.click(await screen.findByText("Acknowledge 2 shown")));
    await waitFor(() => expect(asked(station, "acknowledge_alarms")).toEqual([{ ids: ["am-1", "am-2"], seq: 7 }]));
  });

  it("AL-05 says why the station refuses", async () => {
    const refused = () => {
      throw new HostError("alarm_changed", "1 of these alarms changed after they were shown", { ids: ["am-1"] }, 409);
    };
    show([alarmRow("am-1")], { answers: { acknowledge_alarms: refused } });
    await act(async () => void fireEvent.click(await screen.findByTestId("acknowledge-page")));
    await screen.findByText(/changed since they were shown/);
  });

  it("a Viewer reads and acknowledges nothing", async () => {
    show([alarmRow("am-1")], { role: "viewer" });
    expect((await screen.findByTestId<HTMLButtonElement>("acknowledge-page")).disabled).toBe(true);
  });
});

describe("one alarm", () => {
  it("AL-06 is shelved with a time and a reason", async () => {
    const { station } = show([alarmRow("am-1")], { selected: "am-1", answers: { shelve_alarm: { alarms: [] } } });
    await act(async () => void fireEvent.click(await screen.findByTestId("shelve-alarm")));
    fireEvent.change(screen.getByLabelText("Hide it for"), { target: { value: "3600" } });
    fireEvent.change(screen.getByTestId("shelve-reason"), { target: { value: "being repaired" } });
    await act(async () => void fireEvent.click(screen.getByTestId("shelve-submit")));
    await waitFor(() =>
      expect(asked(station, "shelve_alarm")).toEqual([{ id: "am-1", secs: 3_600, reason: "being repaired" }]),
    );
  });

  it("AL-08 is taken out of service by an Admin only", async () => {
    show([alarmRow("am-1")], { selected: "am-1" });
    const button = await screen.findByTestId<HTMLButtonElement>("alarm-service");
    expect([button.disabled, button.title]).toEqual([true, "needs Admin"]);
  });

  it("AL-06 is not hidden if it must not be", async () => {
    show([alarmRow("am-1", { flags: { ...alarmRow("x").flags, never_hidden: true } })], { selected: "am-1" });
    expect((await screen.findByTestId<HTMLButtonElement>("shelve-alarm")).disabled).toBe(true);
    await screen.findByText("This alarm is never hidden.");
  });

  it("AL-03 is reset once it is latched", async () => {
    const { station } = show([alarmRow("am-1", { state: "latched" })], {
      selected: "am-1",
      answers: { reset_alarm: { alarms: [] } },
    });
    await act(async () => void fireEvent.click(await screen.findByTestId("reset-alarm")));
    await waitFor(() => expect(asked(station, "reset_alarm")).toEqual([{ id: "am-1" }]));
  });

  it("U-1305 is what the agent is asked about", async () => {
    show([alarmRow("am-1")], { selected: "am-1" });
    await act(async () => void fireEvent.click(await screen.findByTestId("ask-why")));
    expect(localStorage.getItem("quarterdeck.draft.main")).toContain("am-1 happened");
  });
});
