import { describe, expect, it } from "vitest";
import type { TopicRow } from "../../../generated/bindings/TopicRow";
import { LiveStore } from "../../../host/live-store";
import { frame, poseSignal, worldRow } from "../../../testing/fixtures";
import { newestOf } from "./newest";
import { type PlotField, withUnit } from "./plot-fields";
import { lineValueAt } from "./plot-lanes";

const HEAT: PlotField = { kind: "world", key: "oven.heat", unit: "degC" };
const SMOKE: PlotField = { kind: "topic", topic: "lab/oven-1/out/state", path: "smoke" };
const ROW = worldRow("oven.heat", { value: 180, unit: "degC" });
const TOPIC = { key_expr: SMOKE.kind === "topic" ? SMOKE.topic : "" } as TopicRow;
const POINTS = [{ at_ms: -4_000, value: 180 }];

/** A station at 10 s that pushed the heat at `observed_mono_ms`, silent for `silent_ms`. */
function newest(field: PlotField, observed_mono_ms: number, rows = [ROW], topics = [TOPIC], silent_ms = 0) {
  const store = new LiveStore();
  const signal = { ...poseSignal("x", [0, 0, 0]), id: ROW.signal, value: 180, observed_mono_ms, max_age_ms: 1_000 };
  store.applyFrame(frame({ signals: [signal] }), 0);
  store.tick(silent_ms);
  const listed = { world: { rows, asked_ms: 0 }, topics: { rows: topics, asked_ms: 0 } };
  return newestOf(store, listed, field, POINTS);
}

describe("U-102 U-1113 the newest value of a line", () => {
  it("holds until now while it is current", () =>
    expect(newest(HEAT, 9_800)).toEqual({ state: "live", age_ms: 200, held_to_ms: 0 }));
  it("holds until it was last seen once it is old", () =>
    expect(newest(HEAT, 8_000)).toEqual({ state: "stale", age_ms: 2_000, held_to_ms: -2_000 }));
  it("is old while the station is silent", () => {
    expect(newest(HEAT, 9_800, [ROW], [TOPIC], 1_500)).toMatchObject({ state: "stale", held_to_ms: -1_700 });
    expect(newest(SMOKE, 9_800, [ROW], [TOPIC], 1_500)).toMatchObject({ state: "stale", held_to_ms: -4_000 });
  });
  it("is gone with its entry and its topic", () => {
    expect(newest(HEAT, 9_800, [])).toEqual({ state: "lost", age_ms: 4_000, held_to_ms: -4_000 });
    expect(newest(SMOKE, 9_800, [ROW], [])).toEqual({ state: "lost", age_ms: 4_000, held_to_ms: -4_000 });
  });
  it("of a topic has its age", () =>
    expect(newest(SMOKE, 9_800)).toEqual({ state: "live", age_ms: 4_000, held_to_ms: 0 }));

  it("is no value of a time at which it was not known any more", () => {
    const line = { field: HEAT, place: 0, points: POINTS, threshold: null, newest: newest(HEAT, 8_000) };
    expect([-3_000, -1_000].map((at_ms) => lineValueAt(line, at_ms))).toEqual([180, null]);
  });
});

it("U-1113 a field has the unit of its entry, not the one that was kept", () => {
  expect(withUnit({ kind: "world", key: "oven.heat", unit: "degF" }, [ROW])).toEqual(HEAT);
  expect(withUnit(HEAT, [])).toEqual(HEAT);
});
