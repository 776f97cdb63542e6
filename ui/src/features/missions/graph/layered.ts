// Layers of missions, each below what it waits for. Groups that nothing joins stand side by side in rows.

import { Graph, layout } from "@dagrejs/dagre";
import { cellsOf, overlap } from "./cells";
import { type Box, grouped, type Pair, type Point } from "./graph-model";
import type { Rect } from "./shortest-way";

/** Space between missions, px. */
const BESIDE = 36;
const BELOW = 56;
/** Groups fill rows of about this shape. */
const ASPECT = 1.5;
const ROW_WIDTH_MIN = 760;

type Group = { points: Map<string, Point>; width: number; height: number };

/** The upper left corner of each box. */
export function layered(boxes: readonly Box[], pairs: readonly Pair[]): Map<string, Point> {
  const groups = groupsOf(boxes, pairs).map((group) => laid(group.boxes, group.pairs));
  // Large groups first; what stands alone fills the rows behind them.
  const ordered = groups.toSorted((a, b) => b.points.size - a.points.size);
  const area = ordered.reduce((sum, { width, height }) => sum + (width + BESIDE) * (height + BELOW), 0);
  const rowWidth = Math.max(ROW_WIDTH_MIN, Math.sqrt(area * ASPECT));
  const all = new Map<string, Point>();
  let corner: Point = { x: 0, y: 0 };
  let rowHeight = 0;
  for (const { points, width, height } of ordered) {
    if (corner.x > 0 && corner.x + width > rowWidth) {
      corner = { x: 0, y: corner.y + rowHeight + BELOW };
      rowHeight = 0;
    }
    for (const [id, { x, y }] of points) all.set(id, { x: Math.round(corner.x + x), y: Math.round(corner.y + y) });
    corner = { x: corner.x + width + BESIDE, y: corner.y };
    rowHeight = Math.max(rowHeight, height);
  }
  return all;
}

/** Boxes that pairs join, directly or through others. */
function groupsOf(boxes: readonly Box[], pairs: readonly Pair[]): { boxes: Box[]; pairs: Pair[] }[] {
  const leader = new Map(boxes.map(({ id }) => [id, id]));
  const find = (id: string): string => {
    let at = id;
    for (let next = leader.get(at); next !== undefined && next !== at; next = leader.get(at)) at = next;
    return at;
  };
  const joined = pairs.filter(({ from, to }) => from !== to && leader.has(from) && leader.has(to));
  for (const { from, to } of joined) leader.set(find(from), find(to));
  const groups = grouped(boxes, ({ id }) => find(id));
  const of = grouped(joined, ({ from }) => find(from));
  return [...groups].map(([id, members]) => ({ boxes: members, pairs: of.get(id) ?? [] }));
}

function laid(boxes: readonly Box[], pairs: readonly Pair[]): Group {
  const graph = new Graph();
  // Of a thousand missions that hang together the usual ranker takes half a minute, this one five seconds.
  graph.setGraph({ rankdir: "TB", nodesep: BESIDE, ranksep: BELOW, ranker: "tight-tree" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const { from, to } of pairs) graph.setEdge(from, to);
  layout(graph);
  // The library gives centres.
  const points = new Map(
    boxes.map(({ id, width, height }) => {
      const centre = graph.node(id);
      return [id, { x: (centre.x ?? 0) - width / 2, y: (centre.y ?? 0) - height / 2 }] as const;
    }),
  );
  const ends = boxes.map(({ id, width, height }) => {
    const { x, y } = points.get(id) ?? { x: 0, y: 0 };
    return { right: x + width, bottom: y + height };
  });
  return {
    points,
    width: Math.max(0, ...ends.map(({ right }) => right)),
    height: Math.max(0, ...ends.map(({ bottom }) => bottom)),
  };
}

/** The corners of all boxes where some have one: each of the others below what it waits for, on free ground. */
export function beside(
  boxes: readonly Box[],
  pairs: readonly Pair[],
  placed: ReadonlyMap<string, Point>,
): Map<string, Point> {
  const all = new Map(placed);
  const sizes = new Map(boxes.map((box) => [box.id, box]));
  const above = grouped(pairs, ({ to }) => to);
  const ground = groundOf();
  for (const [id, at] of placed) ground.take(at, sizes.get(id));
  let foot = footOf(all, sizes);
  // Places from which the search below a mission goes on: of hundreds that wait for one, none passes all the others.
  const searched = new Map<string, Point>();
  for (const box of boxes) {
    if (all.has(box.id)) continue;
    const first = above.get(box.id)?.find(({ from }) => all.has(from))?.from;
    let at = first === undefined ? foot : (searched.get(first) ?? below(all.get(first), sizes.get(first)));
    while (!ground.isFree(at, box)) at = { x: at.x + box.width + BESIDE, y: at.y };
    if (first !== undefined) searched.set(first, at);
    all.set(box.id, at);
    ground.take(at, box);
    foot = { x: Math.min(foot.x, at.x), y: Math.max(foot.y, at.y + box.height + BELOW) };
  }
  return all;
}

/** Ground that boxes stand on, looked at near a place alone. */
function groundOf() {
  const cells = new Map<string, Rect[]>();
  return {
    take: (at: Point, box: Box | undefined) => {
      if (box === undefined) return;
      const rect = around(at, box);
      for (const cell of cellsOf(rect)) cells.set(cell, [...(cells.get(cell) ?? []), rect]);
    },
    isFree: (at: Point, box: Box) => {
      const rect = around(at, box);
      return !cellsOf(rect).some((cell) => cells.get(cell)?.some((other) => overlap(other, rect)));
    },
  };
}

/** A box with half of the space to its neighbours on each side. */
function around({ x, y }: Point, { width, height }: Box): Rect {
  return { left: x - BESIDE / 4, top: y - BELOW / 4, right: x + width + BESIDE / 4, bottom: y + height + BELOW / 4 };
}

function below(at: Point | undefined, box: Box | undefined): Point {
  return { x: at?.x ?? 0, y: (at?.y ?? 0) + (box?.height ?? 0) + BELOW };
}

function footOf(all: ReadonlyMap<string, Point>, sizes: ReadonlyMap<string, Box>): Point {
  let foot: Point = { x: Number.POSITIVE_INFINITY, y: Number.NEGATIVE_INFINITY };
  for (const [id, { x, y }] of all)
    foot = { x: Math.min(foot.x, x), y: Math.max(foot.y, y + (sizes.get(id)?.height ?? 0) + BELOW) };
  return Number.isFinite(foot.x) ? foot : { x: 0, y: 0 };
}
