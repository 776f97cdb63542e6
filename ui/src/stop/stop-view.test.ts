import { describe, expect, it } from "vitest";
import type { Stop } from "../bindings/Stop";
import type { Link } from "../host/live-store";
import { stop, stopRobot } from "../shared/testing/fixtures";
import { type Press, rowsOf, type StopView, viewStop } from "./stop-view";

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
