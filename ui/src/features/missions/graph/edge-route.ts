// The route of an edge: down from one mission and down to another, round every mission between them.

import { overlap } from "./cells";
import type { Point } from "./graph-model";
import { passes, type Rect, shortestWay } from "./shortest-way";

/** The boxes that may touch an area. */
export type Near = (area: Rect) => Iterable<Rect>;

/** The points of a line, and the middle of its words. */
export type Route = { points: readonly Point[]; label: Point };

/** Radius of its corners, px. */
const CORNER = 8;
/** Below a mission an edge turns after this, px. */
const TURN = 20;
/** Space between an edge and a mission that it passes, px: the first with which there is a route. */
const ROOMS = [16, 8, 3] as const;
/** A route that nothing hinders leaves this much, px. */
const PLAIN_ROOM = 8;
/** With more missions in its way an edge is drawn behind them. */
const ROUND_MAX = 48;

/** Size of the words on an edge, px. */
const CHAR_WIDTH = 7;
const WORDS_HEIGHT = 20;

/** The route from the foot of `source` to the head of `target`, with the place of its words. */
export function routeOf(source: Rect, target: Rect, words: string, near: Near): Route {
  const points = pointsOf(source, target, near);
  return { points, label: labelAt(points, words, near) };
}

function pointsOf(source: Rect, target: Rect, near: Near): Point[] {
  const plain = plainPoints(footOf(source), headOf(target));
  if (!isHindered(plain, [source, target], near)) return plain;
  for (const room of ROOMS) {
    const points = around(source, target, near, room);
    if (points !== null) return points;
  }
  return plain;
}

/** The route of an edge that has the graph to itself. */
export function plainPoints(start: Point, end: Point): Point[] {
  const x = (start.x + end.x) / 2;
  const y = (start.y + end.y) / 2;
  const below = start.y + TURN;
  const above = end.y - TURN;
  const leadsDown = end.y >= below;
  const bends = leadsDown
    ? [
        { x: start.x, y },
        { x: end.x, y },
      ]
    : [
        { x: start.x, y: below },
        { x, y: below },
        { x, y: above },
        { x: end.x, y: above },
      ];
  return bendsOf([start, ...bends, end]);
}

/** The middle of the lower side, where edges begin. */
export function footOf({ left, right, bottom }: Rect): Point {
  return { x: (left + right) / 2, y: bottom };
}

/** The middle of the upper side, where edges end. */
export function headOf({ left, right, top }: Rect): Point {
  return { x: (left + right) / 2, y: top };
}

function isHindered(points: readonly Point[], ends: readonly Rect[], near: Near): boolean {
  return (
    hitsOf(points, near, PLAIN_ROOM).some((box) => !ends.includes(box)) ||
    // It begins and ends at their sides, so that they need no room.
    ends.some((box) => legsOf(points).some(({ a, b }) => passes(a, b, box)))
  );
}

/** The shortest route with `room` beside it. It goes round those only that a shorter one would meet. */
function around(source: Rect, target: Rect, near: Near, room: number): Point[] | null {
  const start = footOf(source);
  const end = headOf(target);
  const round = new Set([source, target]);
  while (round.size <= ROUND_MAX) {
    const boxes = [...round].map((box) => wider(box, room));
    const way = shortestWay({ x: start.x, y: start.y + room }, { x: end.x, y: end.y - room }, boxes);
    if (way === null) return null;
    const points = bendsOf([start, ...way, end]);
    const others = hitsOf(points, near, room).filter((box) => !round.has(box));
    if (others.length === 0) return points;
    for (const box of others) round.add(box);
  }
  return null;
}

/** Boxes with less than `room` to a line. */
function hitsOf(points: readonly Point[], near: Near, room: number): Rect[] {
  return legsOf(points).flatMap(({ a, b }) =>
    [...near(wider(areaOf(a, b), room))].filter((box) => passes(a, b, wider(box, room))),
  );
}

function legsOf(points: readonly Point[]): { a: Point; b: Point }[] {
  return points.slice(1).flatMap((b, index) => {
    const a = points[index];
    return a === undefined ? [] : [{ a, b }];
  });
}

function areaOf(a: Point, b: Point): Rect {
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    right: Math.max(a.x, b.x),
    bottom: Math.max(a.y, b.y),
  };
}

function wider({ left, top, right, bottom }: Rect, by: number): Rect {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** The points at which a line bends, with its ends. */
function bendsOf(points: readonly Point[]): Point[] {
  const bends: Point[] = [];
  for (const point of points) {
    const before = bends.at(-2);
    const last = bends.at(-1);
    if (last !== undefined && last.x === point.x && last.y === point.y) continue;
    const isStraight =
      before !== undefined &&
      last !== undefined &&
      ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
    if (isStraight) bends.pop();
    bends.push(point);
  }
  return bends;
}

/** A place on the line at which no mission hides its words: on a long level leg rather than on an upright one. */
function labelAt(points: readonly Point[], words: string, near: Near): Point {
  const legs = legsOf(points).toSorted((one, other) => rankOf(one) - rankOf(other));
  const places = [1 / 2, 1 / 4, 3 / 4].flatMap((share) =>
    legs.map(({ a, b }) => ({ x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) })),
  );
  const isFree = ({ x, y }: Point) => {
    const width = (words.length * CHAR_WIDTH) / 2;
    const area = { left: x - width, top: y - WORDS_HEIGHT / 2, right: x + width, bottom: y + WORDS_HEIGHT / 2 };
    return ![...near(area)].some((box) => overlap(area, box));
  };
  const first = places[0] ?? { x: 0, y: 0 };
  return words === "" ? first : (places.find(isFree) ?? first);
}

function rankOf({ a, b }: { a: Point; b: Point }): number {
  const length = Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
  return a.y === b.y ? -length : 1 / (1 + length);
}

/** A line with round corners, as a path is written. */
export function pathOf(points: readonly Point[]): string {
  const parts = points.map((at, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    if (before === undefined) return `M${at.x} ${at.y}`;
    if (after === undefined) return `L${at.x} ${at.y}`;
    const radius = Math.min(CORNER, lengthOf(before, at) / 2, lengthOf(at, after) / 2);
    const into = towards(at, before, radius);
    const out = towards(at, after, radius);
    return `L${into.x} ${into.y}Q${at.x} ${at.y} ${out.x} ${out.y}`;
  });
  return parts.join("");
}

function lengthOf(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function towards(from: Point, to: Point, by: number): Point {
  const length = lengthOf(from, to);
  return { x: from.x + ((to.x - from.x) / length) * by, y: from.y + ((to.y - from.y) / length) * by };
}
