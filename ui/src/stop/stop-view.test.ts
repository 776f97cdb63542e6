import { describe, expect, it } from "vitest";
import type { Stop } from "../bindings/Stop";
import type { Link } from "../host/live-store";
import { causeRow, robotSafety, stop, stopRobot } from "../shared/testing/fixtures";
import { blockersOf, type Press, rowsOf, stopIdsOf, type StopView, viewStop } from "./stop-view";

const NO_PRESS: Press = { state: "none" };
const LINKED = new Map<string, Link>([["arm-1", { link: "live", rtt_ms: 3 }]]);
const UNLINKED = new Map<string, Link>([["arm-1", { link: "lost", rtt_ms: null }]]);

function check(stops: Stop[], expected: StopView, given: { press?: Press; links?: Map<string, Link>; lost?: boolean } = {}) {
  expect(viewStop(stops, given.press ?? NO_PRESS, given.links ?? LINKED, given.lost ?? false)).toEqual(expected);
}

describe("U-606 the state of the STOP button", () => {
  const acked = { acked_after_ms: 12 };
  it("rests", () => check([], { state: "rest", confirmable: true }));
  it("says at rest that a lost link cannot confirm", () => check([], { state: "rest", confirmable: false }, { links: UNLINKED }));
  it("says at rest that a silent station cannot confirm", () => check([], { state: "rest", confirmable: false }, { lost: true }));
  it("claims nothing before the station reports", () => check([], { state: "sending" }, { press: { state: "sending" } }));
  it("says so when the station did not take it", () =>
    check([], { state: "failed", sentence: "no" }, { press: { state: "failed", sentence: "no" } }));
  it("counts acknowledgements", () =>
    check([stop(1, [stopRobot("a", acked), stopRobot("b")])], { state: "stopping", acked: 1, total: 2 }));
  it("is stopped when all acknowledged", () =>
    check([stop(1, [stopRobot("a", acked), stopRobot("b", acked)])], { state: "stopped", acked: 2, total: 2 }));
  it("puts an unconfirmed robot above the count", () =>
    check([stop(1, [stopRobot("a", acked), stopRobot("b", { not_confirmed: true })])], { state: "not_confirmed", count: 1 }));
  it("latches with no robot connected", () => check([stop(1, [])], { state: "stopped", acked: 0, total: 0 }));
  it("counts only robots still held", () =>
    check([stop(1, [stopRobot("a", { released: true }), stopRobot("b", acked)])], { state: "stopped", acked: 1, total: 1 }));
  it("rests again once every stop is closed", () =>
    check([stop(1, [stopRobot("a", acked)], { open: false })], { state: "rest", confirmable: true }));

  it("lists a robot once, under the newest stop that names it", () => {
    const rows = rowsOf([stop(2, [stopRobot("a", acked)]), stop(1, [stopRobot("a"), stopRobot("b")])]);
    expect(rows.map(({ robot, stop_id }) => [robot, stop_id])).toEqual([["a", 2], ["b", 1]]);
  });
});

describe("U-610 what keeps a robot from being released", () => {
  const safety = new Map([
    ["a", robotSafety({ robot: "a", causes: [causeRow({ cause: "stop_all", clears: "on_release" })] })],
    ["b", robotSafety({ robot: "b", causes: [causeRow({ cause: "stop_all", clears: "on_release" }), causeRow({ cause: "stop_unconfirmed", clears: "on_disarm" })] })],
  ]);
  const blocked = (robots: readonly string[]) => blockersOf(robots, safety).map(({ robot, causes }) => [robot, ...causes.map(({ cause }) => cause)]);
  it("is every cause but the stop itself", () => expect(blocked(["a", "b"])).toEqual([["b", "stop_unconfirmed"]]));
  it("is nothing for a robot the stop does not bind", () => expect(blocked(["a"])).toEqual([]));
  it("is unknown before the first report", () => expect(blocked(["c"])).toEqual([]));
});

describe("U-610 the stops a release names", () => {
  const stops = [stop(2, [stopRobot("b")]), stop(1, [stopRobot("a"), stopRobot("b"), stopRobot("c", { released: true })])];
  it.each([
    [["a"], [1]],
    [["a", "b"], [1, 2]],
    [["c"], []],
    [[], []],
  ])("of %j are exactly %j", (robots, ids) => expect(stopIdsOf(stops, robots)).toEqual(ids));
});
