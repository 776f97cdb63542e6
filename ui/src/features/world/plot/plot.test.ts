import { describe, expect, it } from "vitest";
import type { TopicRow } from "../../../generated/bindings/TopicRow";
import type { WorldRow } from "../../../generated/bindings/WorldRow";
import { fieldsOf, foundFields, nameOf, type PlotField, predicateOf } from "./plot-fields";
import { isAbove, lanesOf, type PlotLine, shareOf, spread, stepped, valueAt, valueOf, within } from "./plot-lanes";
import { EMPTY, FIELDS_MAX, readPlot, toggled } from "./plot-memory";
import { TopicRecorder } from "./topic-recorder";
import { fastTopics } from "./useFastTopics";

const HEAT: PlotField = { kind: "world", key: "oven.temperature", unit: "degC" };
const SMOKE: PlotField = { kind: "world", key: "oven.smoke", unit: null };
const BATTERY: PlotField = { kind: "topic", topic: "lab/rover-1/out/state/battery", path: "percent" };
const row = (key: string, value: WorldRow["value"]) => ({ key, value, unit: null }) as WorldRow;
const topic = (percent: number, age_ms: number, samples = 1) =>
  ({
    key_expr: "lab/rover-1/out/state/battery",
    age_ms,
    samples,
    fields: [
      { path: "percent", kind: "number", example: percent },
      { path: "label", kind: "text", example: "low" },
    ],
  }) as unknown as TopicRow;
const line = (
  field: PlotField,
  place: number,
  values: readonly number[],
  threshold: number | null = null,
): PlotLine => ({
  field,
  place,
  points: values.map((value, at) => ({ at_ms: (at - values.length) * 1_000, value })),
  threshold,
  newest: { state: "live", age_ms: 0, held_to_ms: 0 },
});

describe("U-1113 what can be plotted", () => {
  it("is every number of the world and of topics, found by words", () => {
    const fields = fieldsOf([row("z", 1), row("person.location", "hallway"), row("a", 2)], [topic(80, 0)]);
    expect(fields.map(nameOf)).toEqual(["a", "z", "lab/rover-1/out/state/battery percent"]);
    expect(foundFields(fields, "battery PER").map(nameOf)).toEqual(["lab/rover-1/out/state/battery percent"]);
  });

  it("is kept, and what was kept in another form is left out", () => {
    const plot = toggled(toggled(EMPTY, HEAT), BATTERY);
    expect(readPlot(JSON.stringify(plot))).toEqual(plot);
    expect(toggled(plot, HEAT).fields).toEqual([BATTERY]);
    for (const text of [null, "", "[]", "null", "{", '{"fields":[{"kind":"world"},7,null],"span_ms":3}']) {
      expect(readPlot(text)).toEqual(EMPTY);
    }
    const many = Array.from({ length: 40 }, (_, at): PlotField => ({ kind: "world", key: `k.${at}`, unit: null }));
    expect(many.reduce(toggled, EMPTY).fields.length).toBe(FIELDS_MAX);
  });
});

describe("U-1113 lines of a plot", () => {
  it("share a lane if they have one unit, and a threshold beyond them is seen", () => {
    const lanes = lanesOf([line(HEAT, 0, [180, 182], 200), line(SMOKE, 1, [0.1]), line(BATTERY, 2, [80])], 60_000);
    expect(lanes.map(({ unit, lines }) => [unit, lines.map(({ place }) => place)])).toEqual([
      ["degC", [0]],
      [null, [1, 2]],
    ]);
    const [heat] = lanes;
    expect(heat && heat.extent.max > 200 && heat.extent.min < 180).toBe(true);
    expect(lanesOf([line(HEAT, 0, [2, 2])], 60_000)[0]?.extent).toMatchObject({ min: 1, max: 3 });
    expect(lanesOf([line(HEAT, 0, [])], 60_000)[0]?.extent).toEqual({ from_ms: -60_000, to_ms: 0, min: 0, max: 1 });
  });

  it("have the value that held at a time", () => {
    const { points } = line(HEAT, 0, [1, 2, 3]);
    expect([-9_000, -3_000, -2_500, 0].map((at_ms) => valueAt(points, at_ms))).toEqual([null, 1, 1, 3]);
    expect(within(points, 1_500).map(({ value }) => value)).toEqual([2, 3]);
  });

  it("have labels that stand apart", () => {
    expect(spread([0.5, 0.5, 0.52], 0.1)).toEqual([0.5, 0.6, 0.7]);
    const low = spread([0.99, 1, 1], 0.1);
    expect(low.map((share) => Math.round(share * 100))).toEqual([80, 90, 100]);
  });
});

describe("U-1113 a threshold", () => {
  const extent = { from_ms: -1, to_ms: 0, min: 100, max: 200 };

  it("is dragged or moved by a key, with digits that can be chosen", () => {
    expect([isAbove(line(HEAT, 0, [1, 3]).points, 2.5), isAbove(line(HEAT, 0, [1, 3]).points, 1.5)]).toEqual([
      true,
      false,
    ]);
    expect([valueOf(0.25, extent), valueOf(-3, extent), shareOf(175, extent)]).toEqual([175, 200, 0.25]);
    expect(stepped(175, 1, extent)).toBe(177);
    expect(stepped(0.5, -1, { ...extent, min: 0, max: 1 })).toBe(0.48);
  });

  it("becomes the condition of a rule, if the field is an entry of the world", () => {
    expect(predicateOf(HEAT, 185, true)).toBe("oven.temperature > 185");
    expect(predicateOf(HEAT, 170.5, false)).toBe("oven.temperature < 170.5");
    expect(predicateOf(BATTERY, 20, false)).toBeNull();
  });
});

describe("U-1113 numbers of topics", () => {
  it("are recorded while they are plotted, each sample once", () => {
    const recorder = new TopicRecorder();
    recorder.note([topic(80, 500)], [HEAT, BATTERY], 10_000);
    recorder.note([topic(80, 2_500)], [HEAT, BATTERY], 12_000);
    recorder.note([topic(79, 0, 2)], [HEAT, BATTERY], 14_000);
    expect(recorder.points(BATTERY, 15_000)).toEqual([
      { at_ms: -5_500, value: 80 },
      { at_ms: -1_000, value: 79 },
    ]);
    recorder.note([], [HEAT], 15_000);
    expect(recorder.points(BATTERY, 15_000)).toEqual([]);
  });

  it("are all there of the last minute, and one every two seconds of what is older", () => {
    const recorder = new TopicRecorder();
    for (let n = 1; n <= 1_800; n += 1) {
      recorder.note([topic(n % 7, 0, n)], [BATTERY], n * 100);
      // The same message, whose answer took longer.
      recorder.note([topic(n % 7, 40, n)], [BATTERY], n * 100 + 50);
    }
    const ages = recorder.points(BATTERY, 180_000).map(({ at_ms }) => -at_ms);
    expect(ages.filter((age) => age < 60_000)).toHaveLength(600);
    expect(ages.filter((age) => age >= 60_000)).toHaveLength(60);
    for (let n = 1_801; n <= 40_000; n += 1) recorder.note([topic(n % 7, 0, n)], [BATTERY], n * 100);
    expect(recorder.points(BATTERY, 4_000_000).length).toBeLessThanOrEqual(1_400);
  });

  it("are asked for often where a topic is fast, of no more than four topics", () => {
    const row = (key_expr: string, rate_hz: number) => ({ key_expr, rate_hz }) as TopicRow;
    const plotted = ["a", "b", "c", "d", "e"].map((name): PlotField => ({ kind: "topic", topic: name, path: "x" }));
    expect(fastTopics([...plotted, HEAT], [row("a", 10), row("b", 0.5), row("z", 20)])).toEqual(["a"]);
    expect(
      fastTopics(
        plotted,
        ["a", "b", "c", "d", "e"].map((name) => row(name, 10)),
      ),
    ).toHaveLength(4);
  });
});
