import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Stop } from "../generated/bindings/Stop";
import type { Link } from "../host/live-store";
import { causeRow, robotSafety, stop, stopRobot } from "../testing/fixtures";
import { rowsOf } from "../domain/stop/open-stops";
import { blockersOf, type Press, stopIdsOf, type StopView, viewStop } from "./stop-view";

const NO_PRESS: Press = { state: "none" };
const LINKED = new Map<string, Link>([["arm-1", { link: "live", rtt_ms: 3 }]]);
const UNLINKED = new Map<string, Link>([["arm-1", { link: "lost", rtt_ms: null }]]);

type Given = { press?: Press; links?: Map<string, Link>; lost?: boolean; robots?: string[] };

function check(
  stops: Stop[],
  expected: StopView,
  { press = NO_PRESS, links = LINKED, lost = false, robots = ["a", "b"] }: Given = {},
) {
  expect(viewStop(stops, press, { robots, links, station_lost: lost })).toEqual(expected);
}

describe("U-606 the state of the STOP button", () => {
  const acked = { acked_after_ms: 12 };
  const both = [stop(1, [stopRobot("a", acked), stopRobot("b", acked)])];
  it("rests", () => check([], { state: "rest", unconfirmable: { who: "nobody" } }));
  it("names at rest the robot that cannot confirm", () =>
    check([], { state: "rest", unconfirmable: { who: "robots", ids: ["arm-1"], total: 1 } }, { links: UNLINKED }));
  it("says at rest that a silent station cannot confirm", () =>
    check([], { state: "rest", unconfirmable: { who: "station" } }, { lost: true }));
  it("claims nothing before the station reports", () =>
    check([], { state: "sending" }, { press: { state: "sending" } }));
  it("says so when the station did not take it", () =>
    check([], { state: "failed", sentence: "no" }, { press: { state: "failed", sentence: "no" } }));
  it("counts acknowledgements", () =>
    check([stop(1, [stopRobot("a", acked), stopRobot("b")])], { state: "stopping", acked: 1, total: 2 }));
  it("is stopped when every robot of the station acknowledged", () =>
    check(both, { state: "stopped", acked: 2, total: 2 }));
  it("puts an unconfirmed robot above the count", () =>
    check([stop(1, [stopRobot("a", acked), stopRobot("b", { not_confirmed: true })])], {
      state: "not_confirmed",
      count: 1,
      total: 2,
    }));
  it("latches with no robot connected", () =>
    check([stop(1, [])], { state: "stopped", acked: 0, total: 0 }, { robots: [] }));
  it("keeps its name while a robot is free, and counts over all of them", () =>
    check(
      [stop(1, [stopRobot("a", acked)])],
      { state: "partly", stopped: 1, not_confirmed: 0, total: 4 },
      { robots: ["a", "b", "c", "d"] },
    ));
  it("keeps its name once one of several is released", () =>
    check([stop(1, [stopRobot("a", { released: true }), stopRobot("b", acked)])], {
      state: "partly",
      stopped: 1,
      not_confirmed: 0,
      total: 2,
    }));
  it("keeps its name beside a stop that is not confirmed", () =>
    check([stop(1, [stopRobot("a", { not_confirmed: true })])], {
      state: "partly",
      stopped: 0,
      not_confirmed: 1,
      total: 2,
    }));
  it("answers a press also while one robot stands already", () =>
    check([stop(1, [stopRobot("a", acked)])], { state: "sending" }, { press: { state: "sending" } }));
  it("counts a robot of a stop that nothing else is known of", () =>
    check(both, { state: "stopped", acked: 2, total: 2 }, { robots: [] }));
  it("never reads as stopped while a robot is not held", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
    fc.assert(
      fc.property(names, names, fc.boolean(), (robots, bound, not_confirmed) => {
        const view = viewStop(
          [
            stop(
              1,
              bound.map((robot) => stopRobot(robot, { ...acked, not_confirmed })),
            ),
          ],
          NO_PRESS,
          { robots, links: LINKED, station_lost: false },
        );
        const free = robots.filter((robot) => !bound.includes(robot));
        expect(view.state === "partly").toBe(free.length > 0);
      }),
    );
  });
  it("rests again once every stop is closed", () =>
    check([stop(1, [stopRobot("a", acked)], { open: false })], { state: "rest", unconfirmable: { who: "nobody" } }));

  it("lists a robot once, under the newest stop that names it", () => {
    const rows = rowsOf([stop(2, [stopRobot("a", acked)]), stop(1, [stopRobot("a"), stopRobot("b")])]);
    expect(rows.map(({ robot, stop_id }) => [robot, stop_id])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
  });
});

describe("U-610 what keeps a robot from being released", () => {
  const safety = new Map([
    ["a", robotSafety({ robot: "a", causes: [causeRow({ cause: "stop_all", clears: "on_release" })] })],
    [
      "b",
      robotSafety({
        robot: "b",
        causes: [
          causeRow({ cause: "stop_all", clears: "on_release" }),
          causeRow({ cause: "stop_unconfirmed", clears: "on_disarm" }),
        ],
      }),
    ],
  ]);
  const blocked = (robots: readonly string[]) =>
    blockersOf(robots, safety).map(({ robot, causes }) => [robot, ...causes.map(({ cause }) => cause)]);
  it("is every cause but the stop itself", () => expect(blocked(["a", "b"])).toEqual([["b", "stop_unconfirmed"]]));
  it("is nothing for a robot the stop does not bind", () => expect(blocked(["a"])).toEqual([]));
  it("is unknown before the first report", () => expect(blocked(["c"])).toEqual([]));
});

describe("U-610 the stops a release names", () => {
  const stops = [
    stop(2, [stopRobot("b")]),
    stop(1, [stopRobot("a"), stopRobot("b"), stopRobot("c", { released: true })]),
  ];
  it.each([
    [["a"], [1]],
    [
      ["a", "b"],
      [1, 2],
    ],
    [["c"], []],
    [[], []],
  ])("of %j are exactly %j", (robots, ids) => expect(stopIdsOf(stops, robots)).toEqual(ids));
});
