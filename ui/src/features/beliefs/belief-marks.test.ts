import { describe, expect, it } from "vitest";
import { groupedMarks, marksOf } from "./belief-marks";
import { lanesOf } from "./belief-lanes";
import { treeLines } from "./belief-tree";
import { beliefHistory, beliefRow, historyRow } from "./fixtures";

const DANA = { operator: "dana" };

describe("U-1401 marks", () => {
  it.each([
    ["created", null, "created"],
    ["confirmed", null, "confirmed"],
    ["confirmed", DANA, "operator"],
    ["contradicted", null, "contradicted"],
    ["replaced", DANA, "replaced"],
    ["corrected", DANA, "operator"],
    ["pinned", DANA, "pin"],
    ["unpinned", DANA, "pin"],
  ] as const)("%s by %o is drawn as %s", (kind, evidence, shape) =>
    expect(marksOf(beliefHistory([historyRow(1, 1, { kind, evidence })])).map((mark) => mark.shape)).toEqual([shape]),
  );

  it("keep their names when an older one is left out", () => {
    const rows = [historyRow(1, 0.9), historyRow(5, 0.3), historyRow(5, 0.4)];
    const names = marksOf(beliefHistory(rows)).map(({ id }) => id);
    const later = marksOf(beliefHistory(rows.slice(1), { left_out: 1 })).map(({ id }) => id);
    expect(later).toEqual(names.slice(1));
  });

  it("the challenge stands where it began", () => {
    const history = beliefHistory([historyRow(1, 0.9), historyRow(5, 0.3), historyRow(9, 0.4)], {
      belief: beliefRow({ challenged_at: 5 }),
    });
    expect(marksOf(history).map(({ at, shape, confidence }) => [at, shape, confidence])).toEqual([
      [1, "confirmed", 0.9],
      [5, "confirmed", 0.3],
      [5, "challenged", 0.3],
      [9, "confirmed", 0.4],
    ]);
  });

  it("that would cover each other are one, told by the most telling", () => {
    const marks = marksOf(
      beliefHistory([
        historyRow(1, 1, { kind: "created" }),
        historyRow(2, 1),
        historyRow(3, 1, { kind: "contradicted" }),
        historyRow(30, 1),
      ]),
    );
    expect(groupedMarks(marks, 10).map(({ mark, marks }) => [mark.shape, marks.length])).toEqual([
      ["contradicted", 3],
      ["confirmed", 1],
    ]);
  });
});

describe("U-1401 a lane per value", () => {
  it("shows when each was held and when it was claimed", () =>
    expect(
      lanesOf(
        [
          historyRow(1, 1, { kind: "created" }),
          historyRow(3, 1, { kind: "contradicted", value: "false" }),
          historyRow(5, 1, { kind: "replaced", value: "false" }),
          historyRow(7, 1, { value: "false" }),
        ],
        10,
      ),
    ).toEqual([
      { value: "false", held: [{ from: 5, to: 10 }], claims: [3] },
      { value: "true", held: [{ from: 1, to: 5 }], claims: [] },
    ]));
});

describe("U-1401 the tree", () => {
  const beliefs = [
    beliefRow({ id: "a" }),
    beliefRow({ id: "b", predicate: "is_clean" }),
    beliefRow({ id: "c", subject: "gate" }),
  ];
  const shape = (closed: readonly string[]) =>
    treeLines(beliefs, new Set(closed)).map((line) =>
      line.kind === "subject" ? `${line.subject} ${line.count}` : line.belief.id,
    );
  it("has a line per subject, and its beliefs under it", () =>
    expect(shape([])).toEqual(["door 2", "a", "b", "gate 1", "c"]));
  it("leaves out what is under a closed subject", () => expect(shape(["door"])).toEqual(["door 2", "gate 1", "c"]));
});
