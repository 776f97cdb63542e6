// Routes of all edges. While a mission is dragged only those are worked out again that it comes near to.

import { CELL, cellsOf, overlap } from "./cells";
import type { Box, Pair, Points } from "./graph-model";
import { type Near, type Route, routeOf } from "./edge-route";
import type { Rect } from "./shortest-way";

/** An edge with the words on it. */
export type Routed = Pair & { id: string; words: string };

/** A route with the area on which it depends. */
type Kept = { words: string; area: Rect; route: Route };

/** Gives the route of each edge between missions that have a place, by its id; it remembers those of the last call. */
export function edgeRouter() {
  let rects: ReadonlyMap<string, Rect> = new Map();
  let kept: ReadonlyMap<string, Kept> = new Map();
  return (boxes: readonly Box[], points: Points, edges: readonly Routed[]): ReadonlyMap<string, Route> => {
    const now = rectsOf(boxes, points, rects);
    const changed = differing(rects, now);
    const near = indexOf([...now.values()]);
    const next = new Map<string, Kept>();
    for (const { id, from, to, words } of edges) {
      const source = now.get(from);
      const target = now.get(to);
      if (source === undefined || target === undefined) continue;
      const old = kept.get(id);
      const isSame = old !== undefined && old.words === words && !changed.some((rect) => overlap(rect, old.area));
      next.set(id, isSame ? old : { words, ...routed(source, target, words, near) });
    }
    rects = now;
    kept = next;
    return new Map([...next].map(([id, { route }]) => [id, route]));
  };
}

/** The route with the area that was looked at for it. */
function routed(source: Rect, target: Rect, words: string, near: Near): { route: Route; area: Rect } {
  let area = source;
  const noted = (asked: Rect) => {
    area = both(area, asked);
    return near(asked);
  };
  return { route: routeOf(source, target, words, noted), area: both(area, target) };
}

/** The sides of each mission; the same object as before where it has not moved. */
function rectsOf(boxes: readonly Box[], points: Points, before: ReadonlyMap<string, Rect>): Map<string, Rect> {
  const rects = new Map<string, Rect>();
  for (const { id, width, height } of boxes) {
    const at = points.get(id);
    if (at === undefined) continue;
    const rect = { left: at.x, top: at.y, right: at.x + width, bottom: at.y + height };
    const old = before.get(id);
    rects.set(id, old !== undefined && isEqual(old, rect) ? old : rect);
  }
  return rects;
}

/** Sides before and after of what has come, gone or moved. */
function differing(before: ReadonlyMap<string, Rect>, after: ReadonlyMap<string, Rect>): Rect[] {
  const gone = [...before].filter(([id, rect]) => after.get(id) !== rect);
  const come = [...after].filter(([id, rect]) => before.get(id) !== rect);
  return [...gone, ...come].map(([, rect]) => rect);
}

function isEqual(one: Rect, other: Rect): boolean {
  return one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;
}

function both(one: Rect, other: Rect): Rect {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

/** Boxes by the cells of a grid that they touch. */
export function indexOf(rects: readonly Rect[]): Near {
  const cells = new Map<string, Rect[]>();
  for (const rect of rects)
    for (const cell of cellsOf(rect)) {
      const members = cells.get(cell);
      if (members === undefined) cells.set(cell, [rect]);
      else members.push(rect);
    }
  return (area) => {
    // A way across half the world is longer than the list of missions.
    if (cellCount(area) > rects.length) return rects;
    return new Set(cellsOf(area).flatMap((cell) => cells.get(cell) ?? []));
  };
}

function cellCount({ left, top, right, bottom }: Rect): number {
  return ((right - left) / CELL + 2) * ((bottom - top) / CELL + 2);
}
