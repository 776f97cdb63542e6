import { describe, expect, it } from "vitest";
import { SPAN_MS, activity } from "./activity";

const NOW = 100 * 60_000;
const record = (minutes_ago: number, operation: string, outcome: string, detail: string) => ({
  at_wall: NOW - minutes_ago * 60_000,
  operation,
  outcome,
  detail,
});
const marks = (...records: ReturnType<typeof record>[]) => activity(records, NOW, true).marks;

describe("U-803 the activity line", () => {
  it.each([
    [record(5, "stop", "ok", "stop_id=3 robots=arm-1"), "stop", "stop #3", "/safety"],
    [record(5, "stop_release", "closed", "stop_id=3 robots=arm-1"), "stop", "released #3", "/safety"],
    [
      record(5, "verdict", "deny", "robot=arm-1 actuator=arm command=c violated=workspace,speed"),
      "denial",
      "denied: workspace",
      "/safety/arm-1",
    ],
    [
      record(5, "verdict", "deny", "robot=arm-1 command=c proposal=pr-1 violated=goal_jump"),
      "denial",
      "denied: goal jump",
      "/approvals/pr-1",
    ],
    [record(5, "verdict", "validator_error", "robot=arm-1 command=c"), "denial", "denied", "/safety/arm-1"],
    [record(5, "approval", "ok", "id=pr-1 action_hash=00"), "approval", "approved", "/approvals/pr-1"],
    [record(5, "proposal", "rejected", "id=pr-1"), "denial", "rejected", "/approvals/pr-1"],
    [record(5, "pause_mission", "ok", "mission_id=patrol"), "mission", "patrol paused", "/missions/patrol"],
  ])("shows %j", (given, kind, words, path) => {
    expect(marks(given)).toEqual([expect.objectContaining({ kind, words, path, count: 1, at_ms: given.at_wall })]);
  });
  it.each([
    record(5, "verdict", "allow", "robot=arm-1"),
    record(5, "stop_release", "partly", "stop_id=3 robots=arm-1"),
    record(5, "pause_mission", "forbidden", "mission_id=patrol"),
    record(5, "send", "sent", "robot=arm-1"),
    record(31, "stop", "ok", "stop_id=3"),
    record(-1, "stop", "ok", "stop_id=3"),
  ])("leaves out %j", (given) => expect(marks(given)).toEqual([]));

  it("takes what is said again within seconds for one mark, and keeps what differs apart", () => {
    const denied = (secs_ago: number) => record(secs_ago / 60, "verdict", "deny", "robot=a violated=workspace");
    const found = marks(denied(100), denied(90), denied(20), record(1, "stop", "ok", "stop_id=1"));
    expect(found.map(({ words, count }) => [words, count])).toEqual([
      ["denied: workspace", 2],
      ["stop #1", 1],
      ["denied: workspace", 1],
    ]);
  });

  it("draws long quiet closer, and keeps marks of one minute apart", () => {
    const [first = 0, second = 0, third = 0] = marks(
      record(28, "stop", "ok", "stop_id=1"),
      record(0.1, "stop", "ok", "stop_id=2"),
      record(0.05, "stop", "ok", "stop_id=3"),
    ).map(({ place }) => place);
    expect(second - first).toBeLessThan(0.65);
    expect(third - second).toBeGreaterThan(0.04);
    expect(third).toBeLessThan(1);
  });

  it("shows the newest marks that there is room for, and begins with the first of them", () => {
    const stops = Array.from({ length: 20 }, (_, n) => record(20 - n, "stop", "ok", `stop_id=${n}`));
    const found = activity(stops, NOW, true);
    expect([found.marks.length, found.marks[0]?.words, found.from_ms]).toEqual([12, "stop #8", stops[8]?.at_wall]);
  });

  it("begins where the records begin if there may be older ones", () => {
    const first = record(4, "send", "sent", "robot=a");
    expect(activity([first], NOW, false).from_ms).toBe(first.at_wall);
    expect(activity([first], NOW, true).from_ms).toBe(NOW - SPAN_MS);
    expect(activity([], NOW, false)).toEqual({ marks: [], from_ms: NOW });
  });
});
