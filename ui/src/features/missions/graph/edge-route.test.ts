import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgeRouter, indexOf } from "./edge-router";
import { overlap } from "./cells";
import { footOf, headOf, pathOf, routeOf } from "./edge-route";
import type { Box, Pair, Point, Points } from "./graph-model";
import { layered } from "./layered";
import { passes, type Rect } from "./shortest-way";

const WIDTH = 226;
const HEIGHT = 98;
/** Least space between missions through which a line is sure to find its way, px. */
const SPACE = 8;

const rect = ({ x, y }: Point): Rect => ({ left: x, top: y, right: x + WIDTH, bottom: y + HEIGHT });

const wider = ({ left, top, right, bottom }: Rect, by: number): Rect => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

const legs = (points: readonly Point[]) => points.slice(1).map((b, at) => ({ a: points[at] ?? b, b }));

/** Boxes that a line touches. Its ends only must not be passed through. */
const touched = (points: readonly Point[], source: Rect, target: Rect, boxes: readonly Rect[]) =>
  boxes.filter((box) => {
    const wide = wider(box, box === source || box === target ? 0 : 1);
    return legs(points).some(({ a, b }) => passes(a, b, wide));
  });

const wordsArea = ({ x, y }: Point, words: string): Rect => ({
  left: x - words.length * 3,
  top: y - 8,
  right: x + words.length * 3,
  bottom: y + 8,
});

/** Missions that leave each other some space, as a person may have put them. */
const layouts = fc
  .array(fc.record({ x: fc.integer({ min: -900, max: 900 }), y: fc.integer({ min: -500, max: 500 }) }), {
    minLength: 2,
    maxLength: 30,
  })
  .map((corners) => {
    const boxes: Rect[] = [];
    for (const box of corners.map(rect)) {
      if (!boxes.some((other) => overlap(wider(box, SPACE), other))) boxes.push(box);
    }
    return boxes;
  })
  .filter((boxes) => boxes.length > 1);

describe("ME-01 the route of an edge", () => {
  const at = (...corners: (readonly [number, number])[]) => corners.map(([x, y]) => rect({ x, y }));
  const between = (boxes: Rect[]) => {
    const [source, target] = boxes;
    if (source === undefined || target === undefined) throw new Error("two boxes");
    return { source, target, ...routeOf(source, target, "part", indexOf(boxes)) };
  };

  it("is straight, or has two bends, where nothing is in its way", () => {
    expect(between(at([0, 0], [0, 154])).points).toEqual([
      { x: 113, y: 98 },
      { x: 113, y: 154 },
    ]);
    expect(between(at([0, 0], [300, 154])).points).toEqual([
      { x: 113, y: 98 },
      { x: 113, y: 126 },
      { x: 413, y: 126 },
      { x: 413, y: 154 },
    ]);
  });

  it.each([
    ["in one row, with another between", at([0, 0], [524, 0], [262, 0])],
    ["that skips a layer, with another in it", at([0, 0], [0, 308], [0, 154])],
    ["that leads up, with another between", at([0, 308], [0, 0], [0, 154])],
    ["to the mission above its own", at([0, 154], [0, 0])],
    ["through a full row", at([0, 0], [0, 308], [0, 154], [262, 154], [-262, 154])],
    ["past one that a person has put into its corner", at([0, 0], [300, 400], [190, 180])],
    ["with a mission close below its foot", at([0, 0], [0, 308], [100, 110])],
  ])("%s goes round it, with its words in the open", (_, boxes) => {
    const { points, label, source, target } = between(boxes);
    expect(touched(points, source, target, boxes)).toEqual([]);
    expect(boxes.filter((box) => overlap(wordsArea(label, "part"), box))).toEqual([]);
  });

  it("leaves a mission room and comes back to it at no more bends than it needs", () => {
    const { points } = between(at([0, 0], [0, 308], [0, 154]));
    expect(points).toHaveLength(6);
    const beside = points.filter(({ x }) => x !== 113).map(({ x }) => x);
    expect(new Set(beside).size).toBe(1);
    expect([-16, WIDTH + 16]).toContain(beside[0]);
  });

  it("goes round a mission that waits for itself", () => {
    const boxes = at([0, 0]);
    const [own] = boxes;
    if (own === undefined) throw new Error("one box");
    const { points } = routeOf(own, own, "", indexOf(boxes));
    expect(points.length).toBeGreaterThan(4);
    expect(touched(points, own, own, boxes)).toEqual([]);
  });

  it("touches no mission but its ends, which it meets at their handles, wherever the missions stand", () => {
    fc.assert(
      fc.property(layouts, fc.nat(), fc.nat(), (boxes, first, second) => {
        const source = boxes[first % boxes.length] ?? rect({ x: 0, y: 0 });
        const target = boxes[second % boxes.length] ?? source;
        const { points } = routeOf(source, target, "part", indexOf(boxes));
        expect(touched(points, source, target, boxes)).toEqual([]);
        expect([points[0], points.at(-1)]).toEqual([footOf(source), headOf(target)]);
        for (const { a, b } of legs(points)) expect(a.x === b.x || a.y === b.y).toBe(true);
      }),
    );
  });

  it("keeps its ends where missions cover each other and there is no way", () => {
    const corner = fc.record({ x: fc.integer({ min: 0, max: 300 }), y: fc.integer({ min: 0, max: 200 }) });
    fc.assert(
      fc.property(fc.array(corner, { minLength: 2, maxLength: 12 }), (corners) => {
        const boxes = corners.map(rect);
        const { points, source, target } = between(boxes);
        expect([points[0], points.at(-1)]).toEqual([footOf(source), headOf(target)]);
        expect(pathOf(points)).not.toContain("NaN");
      }),
    );
  });
});

describe("ME-11 the routes of a graph", () => {
  const box = (id: string): Box => ({ id, width: WIDTH, height: HEIGHT });
  const large = () => {
    const boxes = Array.from({ length: 500 }, (_, at) => box(`m${at}`));
    // Each waits for one or two before it, some of them far before.
    const edges = Array.from({ length: 800 }, (_, at) => {
      const to = 1 + ((at * 7) % 499);
      return { id: `e${at}`, from: `m${Math.floor(to / (at % 2 === 0 ? 2 : 3))}`, to: `m${to}`, words: "" };
    });
    return { boxes, edges };
  };
  const rectsOf = (boxes: readonly Box[], points: Points) =>
    new Map(boxes.map(({ id }) => [id, rect(points.get(id) ?? { x: 0, y: 0 })]));

  it("meet no third mission in a layout of layers", () => {
    const ids = Array.from({ length: 24 }, (_, at) => `m${at}`);
    const name = fc.constantFrom(...ids);
    const pairs: fc.Arbitrary<Pair[]> = fc.array(fc.record({ from: name, to: name }), { maxLength: 30 });
    fc.assert(
      fc.property(pairs, (all) => {
        const boxes = ids.map(box);
        const points = layered(boxes, all);
        const rects = rectsOf(boxes, points);
        const edges = all.map((pair, at) => ({ ...pair, id: `${at}`, words: "" }));
        const routes = edgeRouter()(boxes, points, edges);
        for (const { id, from, to } of edges) {
          const source = rects.get(from) ?? rect({ x: 0, y: 0 });
          const target = rects.get(to) ?? source;
          expect(touched(routes.get(id)?.points ?? [], source, target, [...rects.values()])).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("look at few of 500 missions for each of 800 edges", () => {
    const { boxes, edges } = large();
    const rects = rectsOf(boxes, layered(boxes, edges));
    const near = indexOf([...rects.values()]);
    let looked = 0;
    const counted = (area: Rect) => {
      const found = [...near(area)];
      looked += found.length;
      return found;
    };
    for (const { from, to } of edges) {
      const source = rects.get(from);
      const target = rects.get(to);
      if (source !== undefined && target !== undefined) routeOf(source, target, "", counted);
    }
    // Each one of them against all others would be 400,000 for a line of one leg.
    expect(looked).toBeLessThan(100_000);
  });

  it("are the same after a move as if they were new, and those far from it are not worked out again", () => {
    const { boxes, edges } = large();
    const points = new Map(layered(boxes, edges));
    const router = edgeRouter();
    const before = router(boxes, points, edges);
    const at = points.get("m40") ?? { x: 0, y: 0 };
    points.set("m40", { x: at.x + 90, y: at.y + 70 });
    const after = router(boxes, points, edges);
    expect(after).toEqual(edgeRouter()(boxes, points, edges));
    const kept = edges.filter(({ id }) => before.get(id) === after.get(id)).length;
    expect(kept).toBeGreaterThan(600);
    expect(kept).toBeLessThan(800);
  });

  it("follow a mission that comes, one that goes and words that change", () => {
    const boxes = ["a", "b", "c"].map(box);
    const points = new Map([
      ["a", { x: 0, y: 0 }],
      ["b", { x: 0, y: 154 }],
      ["c", { x: 0, y: 308 }],
    ]);
    const edge = { id: "e", from: "a", to: "c", words: "" };
    const router = edgeRouter();
    const straight = router([box("a"), box("c")], points, [edge]).get("e");
    expect(straight?.points).toHaveLength(2);
    const round = router(boxes, points, [edge]).get("e");
    expect(round?.points).toHaveLength(6);
    expect(router(boxes, points, [edge]).get("e")).toBe(round);
    expect(router(boxes, points, [{ ...edge, words: "part" }]).get("e")?.points).toEqual(round?.points);
    expect(router([box("a"), box("c")], points, [edge]).get("e")?.points).toHaveLength(2);
  });
});
