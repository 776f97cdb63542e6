import { describe, expect, it } from "vitest";
import type { AuditRecord } from "../generated/bindings/AuditRecord";
import { stop } from "../testing/fixtures";
import { sinceStop, stoppedAt } from "./since-stop";

type Given = [at_wall: number, actor: string, operation: string, outcome: string];

const EMPTY = {
  seq: 1,
  at_mono: 0,
  station: "lab",
  role: null,
  origin: "person",
  input_hash: null,
  verdict_id: null,
  set_version: null,
  epoch: null,
  detail: "",
  prev_hash: "",
  hash: "",
} as const;

function check(given: readonly Given[], expected: readonly string[], left_out = 0) {
  const records = given.map(([at_wall, actor, operation, outcome]): AuditRecord => ({
    ...EMPTY,
    at_wall,
    actor,
    operation,
    outcome,
  }));
  const since = sinceStop(records, 1_000);
  expect([
    since.lines.map(({ actor, act, count, last_at }) => `${count} × ${act}, ${actor}, ${last_at}`),
    since.left_out,
  ]).toEqual([expected, left_out]);
}

describe("U-610 what happened since the stop", () => {
  it("is nothing before it", () =>
    check(
      [
        [999, "desk", "arm_robot", "ok"],
        [Number.NaN, "desk", "arm_robot", "ok"],
      ],
      [],
    ));
  it("leaves out the stop itself", () =>
    check(
      [
        [1_000, "desk", "stop_all", "ok"],
        [1_001, "station", "stop", "ok"],
      ],
      [],
    ));
  it("counts what one actor did alike, newest first", () =>
    check(
      [
        [1_010, "station", "proposal", "voided"],
        [1_020, "desk", "arm_robot", "stop_latched"],
        [1_030, "station", "proposal", "voided"],
      ],
      ["2 × proposal: voided, station, 1030", "1 × arm robot: stop latched, desk, 1020"],
    ));
  it("FU-29 says in a sentence what nobody pressed, and counts it", () =>
    check(
      [
        [1_010, "arm-1", "report", "failed"],
        [1_020, "arm-1", "report", "failed"],
      ],
      ["2 × The motion of arm-1 was cut short, null, 1020"],
    ));
  it("says how much it leaves out", () => {
    const many = Array.from({ length: 8 }, (_, n): Given => [2_000 - n, `desk-${n}`, "arm_robot", "ok"]);
    check(
      many,
      [0, 1, 2, 3, 4, 5].map((n) => `1 × arm robot, desk-${n}, ${2_000 - n}`),
      2,
    );
  });
  it("begins with the oldest stop that is open", () => {
    const stops = [stop(3, [], { at: 30 }), stop(2, [], { at: 20 }), stop(1, [], { at: 10, open: false })];
    expect([stoppedAt(stops), stoppedAt([])]).toEqual([20, null]);
  });
});
