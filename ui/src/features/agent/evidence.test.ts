import { describe, expect, it } from "vitest";
import { citedIn, readsAs, readWorldBlock, readWorldRows, withoutListed } from "./evidence";

const BLOCK = `[Context 2026-03-08 17:15:20 UTC, operator]
[World State]
person.location = "hallway" (confidence: 0.92, age: 3s)
oven.temperature = 180 (confidence: unknown, age: 0s, unit: degC)
dog.location = "loading_dock" (confidence: 0.9, age: 40s, stale)
toddler.near_stairs = no data yet
+3 more`;

const known = readWorldBlock(1, BLOCK);

describe("U-902 what a reply rests on", () => {
  it("is read from the block that the agent was shown", () =>
    expect(known).toEqual([
      { entry: 1, key: "person.location", value: "hallway", unit: null, confidence: 0.92, age_s: 3 },
      { entry: 1, key: "oven.temperature", value: "180", unit: "degC", confidence: null, age_s: 0 },
      { entry: 1, key: "dog.location", value: "loading_dock", unit: null, confidence: 0.9, age_s: 40 },
    ]));

  it("or from the rows that it asked for", () =>
    expect(
      readWorldRows(3, [
        { key: "gate.status", value: "closed", unit: null, confidence: null, age_ms: 1_900 },
        { key: 3 },
        "x",
      ]),
    ).toEqual([{ entry: 3, key: "gate.status", value: "closed", unit: null, confidence: null, age_s: 1 }]));

  it("or from the same as a table", () =>
    expect(
      readWorldRows(3, {
        columns: ["age_ms", "key", "value"],
        rows: [
          [1_900, "gate.status", "closed"],
          [5, "door.status", "open"],
        ],
        in_every_row: { unit: "degC" },
      }),
    ).toEqual([
      { entry: 3, key: "gate.status", value: "closed", unit: "degC", confidence: null, age_s: 1 },
      { entry: 3, key: "door.status", value: "open", unit: "degC", confidence: null, age_s: 0 },
    ]));

  it.each([
    [0.123456789, "0.123457", true],
    [0.1234, "0.123457", false],
    [180, "180", true],
    [0, "0", true],
    [true, "true", true],
    ["hallway", "hallway", true],
    ["hallway", "kitchen", false],
    ["a long tale", "a long…", true],
    ["another tale", "a long…", false],
  ] as const)("%s reads as %s: %s", (now, shown, same) => expect(readsAs(now, shown)).toBe(same));

  it.each([
    ["The person is in the hallway.", ["person.location"]],
    ["I read person.location twice.", ["person.location"]],
    ["The dog waits at the loading dock.", ["dog.location"]],
    ["Somebody is in the hallway.", []],
    ["personal hallways", []],
    ["1800 is no temperature of an oven.", []],
    ["The oven has 180 °C, the person is in the hallway.", ["person.location", "oven.temperature"]],
  ])("“%s” names %j", (text, keys) => expect(citedIn(text, known).map(({ key }) => key)).toEqual(keys));

  it("is the newest that was shown of a key", () =>
    expect(
      citedIn("person.location", [...known, { ...known[0], entry: 9, value: "kitchen" } as never]).map(
        ({ entry, value }) => [entry, value],
      ),
    ).toEqual([[9, "kitchen"]]));

  it("is left out where the reply itself is the list", () => {
    const many = Array.from({ length: 7 }, (_, id) => ({
      entry: 1,
      key: `k.${id}`,
      value: "x",
      unit: null,
      confidence: null,
      age_s: 0,
    }));
    expect(citedIn(many.map(({ key }) => key).join(" "), many)).toEqual([]);
  });
});

describe("FU-27 an answer says everything once", () => {
  const [hallway] = readWorldBlock(1, 'person.location = "hallway" (confidence: 0.92, age: 3s)');
  const facts = hallway === undefined ? [] : [hallway];
  it("what a chip says is not said by a line as well", () =>
    expect(
      withoutListed('person.location = "hallway" (0.92, 3 s old)\ngate.status = "closed" (1, 2 s old)', facts),
    ).toBe('gate.status = "closed" (1, 2 s old)'));
  it("sentences stay", () =>
    expect(withoutListed("I see one person: person.location = hallway.", facts)).toBe(
      "I see one person: person.location = hallway.",
    ));
});
