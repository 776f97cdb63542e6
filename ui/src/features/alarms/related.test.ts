import { describe, expect, it } from "vitest";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import { alarmRow } from "../../testing/fixtures";
import { alarmsAround, beginOf, beliefsAbout, eventsAround, mayMiss, recordsAround } from "./related";

const RAISED = 1_772_990_000;
const ALARM = alarmRow("am-1", { raised_at: RAISED, robot: "rover-1", mission: null });

const record = (seq: number, change: Partial<AuditRecord>): AuditRecord => ({
  seq,
  at_wall: RAISED * 1_000,
  at_mono: 0,
  station: "lab",
  actor: "station",
  role: null,
  origin: "station",
  operation: "fallback",
  input_hash: null,
  outcome: "begun",
  verdict_id: null,
  set_version: null,
  epoch: null,
  detail: "robot=rover-1 class=link",
  prev_hash: "",
  hash: "",
  ...change,
});

const belief = (change: Partial<BeliefRow>): BeliefRow => ({
  id: "belief-1",
  subject: "oven",
  predicate: "state",
  value: "on",
  confidence: 0.9,
  source: null,
  first_observed: 0,
  last_confirmed: 0,
  confirmation_count: 1,
  contradiction_count: 0,
  notes: null,
  kind: "text",
  kind_params: null,
  half_life_secs: 60,
  pinned_until: null,
  observes: null,
  state: "held",
  challenged_at: null,
  trust: "text",
  confirmed_by: "sensor",
  ...change,
});

describe("U-1305 what belongs to an alarm", () => {
  it("is what else was raised within five minutes, the nearest first", () => {
    const rows = [
      alarmRow("far", { raised_at: RAISED + 301 }),
      alarmRow("near", { raised_at: RAISED - 10 }),
      alarmRow("edge", { raised_at: RAISED + 300 }),
      ALARM,
      alarmRow("never", { raised_at: null }),
    ];
    expect(alarmsAround(ALARM, rows).map(({ id }) => id)).toEqual(["near", "edge"]);
  });

  it("is what happened within five minutes, the nearest first", () => {
    const event = (seq: number, happened_at: number) => ({
      seq,
      agent: null,
      happened_at,
      code: "x",
      sentence: "",
      count: 1,
    });
    expect(
      eventsAround(ALARM, [event(1, RAISED + 301), event(2, RAISED - 100), event(3, RAISED + 10)]).map(
        ({ seq }) => seq,
      ),
    ).toEqual([3, 2]);
    expect(eventsAround(alarmRow("never", { raised_at: null }), [event(1, RAISED)])).toEqual([]);
  });

  it.each([
    ["the robot", { detail: "robot=rover-1 class=link" }, true],
    ["one of several robots", { detail: "stop_id=1 robots=arm-1,rover-1" }, true],
    ["another robot whose name begins alike", { detail: "robot=rover-10" }, false],
    ["another time", { at_wall: (RAISED + 301) * 1_000 }, false],
  ])("is what was recorded of %s", (_, change, kept) =>
    expect(recordsAround(ALARM, [record(1, change)]).length).toBe(kept ? 1 : 0),
  );

  it.each([
    ["all are newer and there may be more", [RAISED, RAISED + 9], true],
    ["they reach back beyond that time", [RAISED - 301, RAISED], false],
    ["there are no more", [RAISED], false],
  ])("may be missing where %s", (_, seconds, missing) =>
    expect(
      mayMiss(
        ALARM,
        seconds.map((at) => at * 1_000),
        2,
      ),
    ).toBe(missing),
  );

  it("asks for records from five minutes before it on", () => {
    expect(beginOf(ALARM)).toBe((RAISED - 300) * 1_000);
    expect(beginOf({ ...ALARM, raised_at: null })).toBeNull();
  });

  it("tells the same act again and again once, the newest of it", () =>
    expect(
      recordsAround(ALARM, [record(1, {}), record(2, { outcome: "done" }), record(3, {})]).map(({ seq }) => seq),
    ).toEqual([3, 2]));

  it.each([
    ["observes a key", { observes: "oven.smoke" }, true],
    ["is named like a key", { predicate: "smoke" }, true],
    ["is about the robot", { subject: "rover-1" }, true],
    ["is about something else", {}, false],
  ])("is a belief that %s", (_, change, kept) => {
    const alarm = {
      ...ALARM,
      values_now: [
        {
          key: "oven.smoke",
          value: 1,
          confidence: null,
          age_ms: 0,
          received_ms: 0,
          source: "lab/oven-1",
          provider: "p",
        },
      ],
    };
    expect(beliefsAbout(alarm, [belief(change)]).length).toBe(kept ? 1 : 0);
  });
});
