import { describe, expect, it } from "vitest";
import { isResultTable, rowsIn, splitTables } from "./result-table";

const TABLE = {
  columns: ["id", "pose.x"],
  rows: [
    ["arm-1", 0.5],
    ["rover-1", null],
  ],
  in_every_row: { site: "lab" },
};

describe("FP-18 a list in a result", () => {
  it.each([
    [
      TABLE,
      [
        { id: "arm-1", "pose.x": 0.5, site: "lab" },
        { id: "rover-1", "pose.x": null, site: "lab" },
      ],
    ],
    [{ columns: ["id"], rows: [["a"]] }, [{ id: "a" }]],
    [[{ id: "a" }, "b", null], [{ id: "a" }]],
    [{ columns: ["id"] }, []],
    [undefined, []],
  ])("%j has the rows %j", (list, rows) => expect(rowsIn(list)).toEqual(rows));

  it.each([{ columns: [1], rows: [] }, { columns: ["a"], rows: [1] }, [], null, "x"])("%j is no table", (value) =>
    expect(isResultTable(value)).toBe(false),
  );

  it("stands apart from what else the result says", () =>
    expect(splitTables({ items: TABLE, more: true })).toEqual({ tables: [["items", TABLE]], rest: { more: true } }));
});
