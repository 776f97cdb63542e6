import { describe, expect, it } from "vitest";
import { alarmRow } from "../../testing/fixtures";
import { acknowledgeInput } from "./acknowledge";
import { itemsOf, visibleAlarms } from "./grouping";

const group = { first_out: "b", count: 2, worst: 2 } as const;
const ROWS = [
  alarmRow("a", { priority: 1, seq: 4 }),
  alarmRow("c", { group, seq: 9 }),
  alarmRow("b", { group, seq: 2 }),
  alarmRow("d", { seq: 3 }),
];

describe("AL-09 a flood", () => {
  const lines = (open: readonly string[]) =>
    itemsOf(ROWS, new Set(open)).map((item) => (item.kind === "group" ? `[${item.first.id}]` : item.alarm.id));
  it("stands behind the first of each place", () => expect(lines([])).toEqual(["a", "[b]", "d"]));
  it("leaves nothing out when it is opened", () => expect(lines(["b"])).toEqual(["a", "[b]", "c", "b", "d"]));
});

describe("AL-05 what is acknowledged", () => {
  it("is what has a line of its own, as it stood on the screen", () => {
    expect(acknowledgeInput(visibleAlarms(itemsOf(ROWS, new Set())))).toEqual({ ids: ["a", "d"], seq: 4 });
    expect(acknowledgeInput(visibleAlarms(itemsOf(ROWS, new Set(["b"]))))).toEqual({
      ids: ["a", "c", "b", "d"],
      seq: 9,
    });
  });
});
