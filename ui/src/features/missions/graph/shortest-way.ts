// The shortest way with few bends between two points, along the sides of boxes and through none of them.

import type { Point } from "./graph-model";

/** A box by its sides, px. */
export type Rect = { left: number; top: number; right: number; bottom: number };

/** A bend is worth a detour of this length, px. */
const BEND = 60;

/** A crossing of lines that was reached; `isLevel` if along a level line. */
type Step = {
  column: number;
  row: number;
  at: Point;
  isLevel: boolean;
  cost: number;
  guess: number;
  from: Step | null;
};

const DIRECTIONS = [
  { columns: 0, rows: 1 },
  { columns: 1, rows: 0 },
  { columns: -1, rows: 0 },
  { columns: 0, rows: -1 },
] as const;

/** True if a level or upright line passes inside of a box, its sides left out. */
export function passes(a: Point, b: Point, { left, top, right, bottom }: Rect): boolean {
  const isBeside = Math.max(a.x, b.x) <= left || Math.min(a.x, b.x) >= right;
  const isAboveOrBelow = Math.max(a.y, b.y) <= top || Math.min(a.y, b.y) >= bottom;
  return !isBeside && !isAboveOrBelow;
}

/** The points of a way that leaves `start` downwards and comes down to `end`, through no box; null if there is none. */
export function shortestWay(start: Point, end: Point, boxes: readonly Rect[]): Point[] | null {
  // A shortest way runs along sides of boxes and through its ends.
  const xs = inOrder([start.x, end.x, ...boxes.flatMap(({ left, right }) => [left, right])]);
  const ys = inOrder([start.y, end.y, ...boxes.flatMap(({ top, bottom }) => [top, bottom])]);
  const keyOf = ({ column, row, isLevel }: Pick<Step, "column" | "row" | "isLevel">) =>
    2 * (row * xs.length + column) + (isLevel ? 1 : 0);
  const first = { column: xs.indexOf(start.x), row: ys.indexOf(start.y), at: start, isLevel: false };
  const open: Step[] = [{ ...first, cost: 0, guess: 0, from: null }];
  const costs = new Map<number, number>([[keyOf(first), 0]]);
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (step.at.x === end.x && step.at.y === end.y) return pointsOf(step);
    if (step.cost > (costs.get(keyOf(step)) ?? 0)) continue;
    for (const { columns, rows } of DIRECTIONS) {
      const place = { column: step.column + columns, row: step.row + rows, isLevel: rows === 0 };
      const x = xs[place.column];
      const y = ys[place.row];
      if (x === undefined || y === undefined) continue;
      const at = { x, y };
      const cost = step.cost + costOf(step, at, place.isLevel, end);
      const key = keyOf(place);
      if (cost >= (costs.get(key) ?? Number.POSITIVE_INFINITY)) continue;
      if (boxes.some((box) => passes(step.at, at, box))) continue;
      costs.set(key, cost);
      insert(open, { ...place, at, cost, guess: cost + restOf(at, place.isLevel, end), from: step });
    }
  }
  return null;
}

function inOrder(lines: readonly number[]): number[] {
  return [...new Set(lines)].toSorted((a, b) => a - b);
}

function costOf(from: Step, at: Point, isLevel: boolean, end: Point): number {
  const isEnd = at.x === end.x && at.y === end.y;
  const bends = (from.isLevel === isLevel ? 0 : 1) + (isEnd && isLevel ? 1 : 0);
  return Math.abs(at.x - from.at.x) + Math.abs(at.y - from.at.y) + bends * BEND;
}

/** The least that the rest of a way costs. */
function restOf(at: Point, isLevel: boolean, end: Point): number {
  const length = Math.abs(at.x - end.x) + Math.abs(at.y - end.y);
  if (length === 0) return 0;
  const bends = (isLevel ? 1 : 0) + (!isLevel && at.x !== end.x ? 2 : 0);
  return length + bends * BEND;
}

/** Keeps the step with the least guess last. */
function insert(open: Step[], step: Step): void {
  let low = 0;
  let high = open.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((open[middle]?.guess ?? 0) >= step.guess) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, step);
}

function pointsOf(last: Step): Point[] {
  const points: Point[] = [];
  for (let step: Step | null = last; step !== null; step = step.from) points.unshift(step.at);
  return points;
}
