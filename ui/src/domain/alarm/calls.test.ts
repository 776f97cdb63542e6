import { describe, expect, it } from "vitest";
import { alarmRow } from "../../testing/fixtures";
import { oldestUnacknowledged, worstUnacknowledged } from "./alarm-state";
import { callsOf, callsOn, newCall } from "./calls";

const p1 = alarmRow("a", { priority: 1 });
const p3 = alarmRow("b", { priority: 3 });

describe("U-1306 the sound of alarms", () => {
  it.each([
    ["the most urgent of what is new", [], [p3, p1], 1],
    ["nothing for what sounded before", [p1], [p1, p3], 3],
    ["nothing where nothing is new", [p1, p3], [p3, p1], null],
    ["an alarm that came again", [p3], [alarmRow("b", { priority: 3, count: 2 })], 3],
    ["an alarm that was over meanwhile", [p3], [alarmRow("b", { priority: 3, raised_at: 1_772_990_060 })], 3],
    ["nothing for what somebody saw", [], [alarmRow("a", { state: "ack_active" })], null],
    ["nothing for the least urgent", [], [alarmRow("a", { priority: 4 })], null],
    ["AL-10 nothing for what chatters", [], [alarmRow("a", { flags: { ...p1.flags, chattering: true } })], null],
  ] as const)("is %s", (_name, before, now, tone) => expect(newCall(callsOf(before), callsOf(now))).toBe(tone));

  it("goes on while the first priority waits", () =>
    expect([callsOn(callsOf([p1, p3])), callsOn(callsOf([p3]))]).toEqual([true, false]));
});

describe("the alarm to see to", () => {
  const seen = alarmRow("c", { state: "ack_active", raised_at: 1 });
  const rows = [alarmRow("a", { raised_at: 9 }), alarmRow("b", { raised_at: 5 }), seen];
  it("is the first of the list that nobody saw", () => expect(worstUnacknowledged([seen, ...rows])?.id).toBe("a"));
  it("or the one that waits longest", () => expect(oldestUnacknowledged(rows)?.id).toBe("b"));
  it("is none where somebody saw all", () =>
    expect([worstUnacknowledged([seen]), oldestUnacknowledged([seen])]).toEqual([null, null]));
});
