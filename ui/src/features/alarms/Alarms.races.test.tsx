import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AlertRow } from "../../generated/bindings/AlertRow";
import { HostError } from "../../host/host";
import { alarmRow, frame } from "../../testing/fixtures";
import { inGerman } from "../../testing/german";
import { fakeStation, renderWith } from "../../testing/station";
import { AlarmList } from "./AlarmList";
import { Figures } from "./Figures";
import { Rules } from "./Rules";

beforeEach(() => localStorage.clear());
afterEach(() => void vi.useRealTimers());

const COUNTS = { active: 2, unacknowledged: 2, shelved: 0, suppressed: 0, out_of_service: 0, flood: null };

/** `rows` may be changed while the page is shown; `again` asks the station for them anew. */
function show(rows: AlarmRow[], selected: string | null = null, answers: Record<string, unknown> = {}) {
  const station = fakeStation(
    {
      list_alarms: () => [...rows],
      alarm_figures: { now: COUNTS },
      list_events: [],
      acknowledge_alarms: { alarms: [] },
      ...answers,
    },
    { role: "admin", admin_until_mono_ms: 9_000_000 },
  );
  const { hook } = memoryLocation({ path: "/alarms" });
  const page = renderWith(
    station,
    <Router hook={hook}>
      <AlarmList preset="active" selected={selected} />
    </Router>,
  );
  const again = () => act(() => page.queries.invalidateQueries());
  return { station, again, settled: page.settled };
}

const asked = (station: ReturnType<typeof fakeStation>, name: string) =>
  station.asked.filter((call) => call.name === name).map(({ input }) => input);
const press = (key: string) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));

describe("the alarm list under the hand", () => {
  it("AL-05 acknowledges each alarm that A was pressed on, as it stood then", async () => {
    const answers: (() => void)[] = [];
    const slow = () => new Promise((done) => answers.push(() => done({ alarms: [] })));
    const { station } = show([alarmRow("am-1", { seq: 5 }), alarmRow("am-2", { seq: 7 })], null, {
      acknowledge_alarms: slow,
    });
    (await screen.findByText("am-1 happened")).focus();
    await press("a");
    await press("ArrowDown");
    await press("a");
    expect(asked(station, "acknowledge_alarms")).toEqual([{ ids: ["am-1"], seq: 5 }]);
    await act(async () => answers[0]?.());
    await waitFor(() =>
      expect(asked(station, "acknowledge_alarms")).toEqual([
        { ids: ["am-1"], seq: 5 },
        { ids: ["am-2"], seq: 7 },
      ]),
    );
  });

  it("AL-05 sends an alarm once for a key that is pressed twice", async () => {
    const answers: (() => void)[] = [];
    const slow = () => new Promise((done) => answers.push(() => done({ alarms: [] })));
    const { station } = show([alarmRow("am-1", { seq: 5 }), alarmRow("am-2", { seq: 7 })], null, {
      acknowledge_alarms: slow,
    });
    (await screen.findByText("am-1 happened")).focus();
    await press("a");
    await press("a");
    await press("ArrowDown");
    await press("a");
    await act(async () => answers[0]?.());
    await waitFor(() =>
      expect(asked(station, "acknowledge_alarms")).toEqual([
        { ids: ["am-1"], seq: 5 },
        { ids: ["am-2"], seq: 7 },
      ]),
    );
  });

  it("AL-05 sends nothing more behind a refusal", async () => {
    const refused = () => {
      throw new HostError("alarm_changed", "changed", { ids: ["am-1"] }, 409);
    };
    const { station } = show([alarmRow("am-1"), alarmRow("am-2")], null, { acknowledge_alarms: refused });
    (await screen.findByText("am-1 happened")).focus();
    await press("a");
    await screen.findByText(/changed since they were shown/);
    expect(asked(station, "acknowledge_alarms")).toHaveLength(1);
  });

  it("U-1309 goes on with the next alarm when the one with the focus has left", async () => {
    const rows = [alarmRow("am-1"), alarmRow("am-2")];
    const { again } = show(rows);
    (await screen.findByText("am-1 happened")).focus();
    rows.shift();
    await again();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("am-2 happened"));
  });

  it("AL-05 takes no key for the next alarm that was pressed for the one that has just left", async () => {
    const rows = [alarmRow("am-1"), alarmRow("am-2", { seq: 7 })];
    const { station, again } = show(rows);
    (await screen.findByText("am-1 happened")).focus();
    vi.useFakeTimers();
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    rows.shift();
    await again();
    await pass(10);
    expect(document.activeElement?.textContent).toBe("am-2 happened");
    await press("a");
    await press("s");
    await pass(500);
    await press("a");
    expect([asked(station, "acknowledge_alarms"), screen.queryByTestId("shelve-reason")]).toEqual([[], null]);
    await pass(200);
    await press("a");
    await pass(10);
    expect(asked(station, "acknowledge_alarms")).toEqual([{ ids: ["am-2"], seq: 7 }]);
  });

  it("U-102 counts the age of a value that is not pushed", async () => {
    const value = { key: "oven.smoke", value: 0.4, confidence: null, age_ms: 2_000, provider: "cp-1" };
    const { station } = show([
      alarmRow("am-1", { agent: "other", values_now: [{ ...value, source: "lab/x", received_ms: 0 }] }),
    ]);
    const row = await screen.findByTestId("alarm-am-1");
    act(() => station.store.tick(performance.now() + 60_000));
    expect(row.textContent).toContain("1 min 2 s");
  });

  it("AL-09 shows a group that calls if one of its alarms does", async () => {
    const group = { first_out: "am-1", count: 2, worst: 1 } as const;
    show([
      alarmRow("am-1", { group, priority: 3, state: "ack_active" }),
      alarmRow("am-2", { group, priority: 1, state: "unack_active" }),
    ]);
    const line = await screen.findByTestId("group-am-1");
    expect(line.querySelector("[data-calls]")?.getAttribute("data-calls")).toBe("true");
  });
});

describe("an act on an alarm that somebody else changes meanwhile", () => {
  it("AL-08 is the one its form was opened for, or none", async () => {
    const rows = [alarmRow("am-1")];
    const { again } = show(rows, "am-1");
    fireEvent.click(await screen.findByTestId("alarm-service"));
    fireEvent.change(await screen.findByTestId("alarm-service-reason"), { target: { value: "sensor broken" } });
    rows[0] = alarmRow("am-1", { out_of_service: { by: "kim", since_ms: 0, reason: "sensor broken" } });
    await again();
    await waitFor(() => expect(screen.queryByTestId("alarm-service-reason")).toBeNull());
    expect(document.activeElement).toBe(screen.getByTestId("alarm-detail"));
  });

  it("leaves the focus in the detail when its button goes", async () => {
    const rows = [alarmRow("am-1")];
    const { again } = show(rows, "am-1");
    (await screen.findByTestId("acknowledge-alarm")).focus();
    rows[0] = alarmRow("am-1", { state: "ack_active" });
    await again();
    await waitFor(() => expect(screen.queryByTestId("acknowledge-alarm")).toBeNull());
    expect(document.activeElement).toBe(screen.getByTestId("alarm-detail"));
  });

  it("AL-06 hides none by key that must not be hidden", async () => {
    const { station } = show([alarmRow("am-1", { flags: { ...alarmRow("x").flags, never_hidden: true } })], "am-1");
    (await within(await screen.findByTestId("alarm-am-1")).findByRole("link")).focus();
    await press("s");
    fireEvent.change(await screen.findByTestId("shelve-reason"), { target: { value: "noise" } });
    expect(screen.getByTestId<HTMLButtonElement>("shelve-submit").disabled).toBe(true);
    expect(asked(station, "shelve_alarm")).toEqual([]);
  });

  it("says on which day it was raised", async () => {
    show([alarmRow("am-1")], "am-1");
    expect((await screen.findByTestId("alarm-detail")).textContent).toMatch(/Mar 8, 2026/);
  });
});

const rule: AlertRow = {
  id: "al-1",
  mission_id: null,
  predicate: "oven.smoke > 0.3",
  description: "smoke",
  debounce_secs: 60,
  arousal_boost: 2,
  state: "clear",
  since: 0,
  last_fired_at: null,
  fires: 0,
  suppressed: 0,
  evaluations: 0,
  paused: false,
  dangling_keys: [],
  woke_too_often: false,
  quota_left: 3,
  values_now: [],
  alarm: null,
} as unknown as AlertRow;

describe("a rule that somebody else removes", () => {
  function rules(rows: AlertRow[], name: string) {
    const station = fakeStation(
      {
        list_alerts: () => [...rows],
        list_missions: [],
        update_alert: () => {
          throw new HostError("alert_not_found", "there is no such rule");
        },
      },
      { role: "admin", admin_until_mono_ms: 9_000_000 },
    );
    const page = renderWith(station, <Rules rule={name} onKey={null} />);
    return { station, again: () => act(() => page.queries.invalidateQueries()) };
  }

  it("stays an edit, which the station refuses, and is not made anew", async () => {
    const rows = [rule];
    const { station, again } = rules(rows, "al-1");
    fireEvent.change(await screen.findByTestId("rule-description"), { target: { value: "much smoke" } });
    rows.pop();
    await again();
    await screen.findByText("No rule watches the world state");
    await act(async () => void fireEvent.click(screen.getByTestId("rule-submit")));
    await screen.findByText(/alert_not_found/);
    expect(station.asked.map(({ name }) => name)).not.toContain("register_alert");
    expect(screen.getByTestId<HTMLInputElement>("rule-description").value).toBe("much smoke");
  });

  it("is said to be gone where its address is opened", async () => {
    rules([], "al-1");
    await screen.findByText("This rule no longer exists.");
    expect(screen.queryByTestId("rule-submit")).toBeNull();
  });
});

describe("the figures", () => {
  const worst = {
    id: "am-1",
    source: "robot_link_lost",
    robot: "arm-1",
    message: "The link to arm-1 is lost.",
    count: 4,
  };
  const report = { alarms: 4, per_10_min: 1, per_10_min_max: 1, flood_share: 0 };
  const figures = {
    ...report,
    now: COUNTS,
    from: 0,
    to: 1,
    chattering: [],
    standing: [],
    by_priority: [],
    worst: [worst],
  };

  it("U-1308 of the last hour stay those of the last hour", async () => {
    const began_ms = 1_772_990_000_000;
    const station = fakeStation({ alarm_figures: figures });
    const at = (wall_ms: number) => station.store.applyFrame(frame({ wall_ms }), performance.now());
    at(began_ms);
    const page = renderWith(station, <Figures />);
    await page.settled();
    act(() => at(began_ms + 3_600_000));
    // The answer before is shown until the next one is here.
    screen.getByTestId("alarm-figures");
    await page.settled();
    const [first, last] = asked(station, "alarm_figures") as { from: number }[];
    expect((last?.from ?? 0) - (first?.from ?? 0)).toBe(3_600);
    // The span is one of the station's clock, whatever this desk's says.
    expect(Math.abs((first?.from ?? 0) + 28_800 - began_ms / 1_000)).toBeLessThanOrEqual(60);
  });

  describe("in German", () => {
    inGerman();
    it("name the robot of an alarm", async () => {
      renderWith(fakeStation({ alarm_figures: figures }), <Figures />);
      await screen.findByText("arm-1: Der Roboter antwortet nicht und ist unbeaufsichtigt.");
    });
  });
});
