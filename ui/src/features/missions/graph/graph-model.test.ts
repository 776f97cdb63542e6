import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import { afterRedo, afterUndo, NO_HISTORY, withChange } from "./history";
import { linkRefusal, linkRefuser, neighbourOf, type Pair, type Points } from "./graph-model";
import { beside, layered } from "./layered";

const edge = (from: string, to: string, more: Partial<GraphEdge> = {}): GraphEdge => ({
  from,
  to,
  kind: "depends_on",
  in: "both",
  state: "open",
  ...more,
});

describe("ME-03 a connection", () => {
  const edges = [
    edge("a", "b"),
    edge("b", "c"),
    edge("c", "d", { kind: "parent" }),
    edge("x", "y", { in: "activated" }),
  ];

  it.each([
    [{ from: "a", to: "a" }, { kind: "self" }],
    [{ from: "a", to: "b" }, { kind: "double" }],
    [
      { from: "d", to: "a" },
      { kind: "circle", path: ["d", "a", "b", "c", "d"] },
    ],
    [
      { from: "b", to: "a" },
      { kind: "circle", path: ["b", "a", "b"] },
    ],
    [{ from: "a", to: "c" }, null],
    [{ from: "x", to: "y" }, null],
    [{ from: "y", to: "x" }, null],
  ])("%j is refused as %j", (pair, refusal) => expect(linkRefusal(edges, pair)).toEqual(refusal));

  it("is refused as a circle exactly where one would be", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const pairs = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 12 });
    fc.assert(
      fc.property(pairs, fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), (all, [from, to]) => {
        const known = all.filter(([first, second]) => first !== second).map(([first, second]) => edge(first, second));
        const reaches = (id: string, seen = new Set<string>()): Set<string> => {
          for (const next of known)
            if (next.from === id && !seen.has(next.to)) {
              seen.add(next.to);
              reaches(next.to, seen);
            }
          return seen;
        };
        fc.pre(from !== to && !known.some((one) => one.from === from && one.to === to));
        const refusal = linkRefusal(known, { from, to });
        expect(refusal?.kind === "circle").toBe(reaches(to).has(from));
        // From the other end there may be another way of the same length.
        const other = linkRefuser(known, from)({ from, to });
        const shape = (one: typeof refusal) =>
          one?.kind === "circle" ? [one.path[0], one.path[1], one.path.at(-1), one.path.length] : one;
        expect(shape(other)).toEqual(shape(refusal));
      }),
    );
  });
});

describe("ME-11 the layout", () => {
  const box = (id: string) => ({ id, width: 226, height: 98 });
  const overlap = (points: Points) => {
    const all = [...points.values()];
    return all.some((a, at) => all.slice(at + 1).some((b) => Math.abs(a.x - b.x) < 226 && Math.abs(a.y - b.y) < 98));
  };

  it("puts each mission below what it waits for, and none upon another", () => {
    const ids = Array.from({ length: 24 }, (_, at) => `m${at}`);
    const pairs: Pair[] = ids.slice(1, 12).map((to, at) => ({ from: ids[Math.floor(at / 2)] ?? "", to }));
    const points = layered(ids.map(box), pairs);
    expect(points.size).toBe(24);
    expect(overlap(points)).toBe(false);
    for (const { from, to } of pairs) expect(points.get(from)?.y).toBeLessThan(points.get(to)?.y ?? 0);
  });

  it("lays out a circle too", () => {
    const pairs = [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
    ];
    expect(overlap(layered(["a", "b"].map(box), pairs))).toBe(false);
  });

  it("ME-10 puts a new mission below what it waits for and moves no other", () => {
    const placed = new Map([
      ["a", { x: 100, y: 50 }],
      ["c", { x: 100, y: 204 }],
    ]);
    const points = beside(["a", "b", "c", "d"].map(box), [{ from: "a", to: "b" }], placed);
    expect([points.get("a"), points.get("c")]).toEqual([placed.get("a"), placed.get("c")]);
    expect(points.get("b")?.y).toBe(204);
    expect(overlap(points)).toBe(false);
  });
});

describe("ME-12 arrows", () => {
  const points: Points = new Map([
    ["a", { x: 0, y: 0 }],
    ["b", { x: 300, y: 150 }],
    ["c", { x: 0, y: 160 }],
    ["d", { x: 300, y: 0 }],
  ]);
  it.each([
    ["ArrowDown", "b"],
    ["ArrowRight", "b"],
    ["ArrowUp", null],
  ] as const)("%s from a goes to %s", (arrow, to) =>
    expect(neighbourOf("a", arrow, points, [edge("a", "b")])).toBe(to),
  );

  it("go to the nearest where no edge leads", () => expect(neighbourOf("a", "ArrowRight", points, [])).toBe("d"));
});

describe("ME-06 the history", () => {
  const change = (at: number) => ({ kind: "places", before: { a: null }, after: { a: [at, 0] } }) as const;

  it("undoes and does again, until something else is done", () => {
    const [one, other] = [change(1), change(2)];
    const two = withChange(withChange(NO_HISTORY, one), other);
    const undone = afterUndo(two, other);
    expect([undone.done, undone.undone]).toEqual([[one], [other]]);
    expect(afterRedo(undone, other)).toEqual(two);
    expect(withChange(undone, change(3)).undone).toEqual([]);
    // What was made while the undo was on its way stays.
    expect(afterUndo(withChange(two, change(3)), other).done).toEqual([one, change(3)]);
  });

  it("keeps 1,000 changes", () => {
    const full = Array.from({ length: 1_200 }, (_, at) => change(at)).reduce(withChange, NO_HISTORY);
    expect([full.done.length, full.done[0]]).toEqual([1_000, change(200)]);
  });
});
