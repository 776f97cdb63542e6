import { describe, expect, it } from "vitest";
import { worldRow } from "../../testing/fixtures";
import { type Order, shownRows } from "./world-rows";

const row = (key: string, value: string, confidence: number | null) => worldRow(key, { value, confidence });

const ROWS = [
  row("person.location", "hallway", 0.92),
  row("dog.location", "kitchen", 0.4),
  row("gate.status", "closed", null),
];

function check(filter: string, order: Order, keys: readonly string[]) {
  expect(shownRows(ROWS, filter, order).map(({ key }) => key)).toEqual(keys);
}

describe("the state table", () => {
  it("sorts by key", () =>
    check("", { column: "key", down: false }, ["dog.location", "gate.status", "person.location"]));
  it("sorts by confidence, unknown lowest", () =>
    check("", { column: "confidence", down: true }, ["person.location", "dog.location", "gate.status"]));
  it("finds words in key, value and source", () =>
    check("location KITCHEN", { column: "key", down: false }, ["dog.location"]));
  it("shows nothing where nothing matches", () => check("unicorn", { column: "key", down: false }, []));
});
