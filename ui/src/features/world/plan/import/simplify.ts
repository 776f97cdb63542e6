// Fewer points for the same picture: Douglas and Peucker, coarser until a plan may have that many.

import { boundsOf } from "../../../../domain/scene/flat/scene-plan";
import { type Line, PlanFault, POINTS_MAX, WALLS_MAX } from "./plan-file";

/** Steps in which the tolerance grows. */
const COARSER = 1.6;
const STEPS_MAX = 30;
/** The first tolerance of a drawing of unknown unit, as a part of its size. */
const FIRST_PART = 1 / 20_000;

/** A line without the points that lie within a tolerance of what is left. */
export function simplified(line: Line, tolerance: number): Line {
  const keep = new Uint8Array(line.length);
  keep[0] = keep[line.length - 1] = 1;
  const open: [number, number][] = [[0, line.length - 1]];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [from, to] = span;
    let [worst, at] = [tolerance, -1];
    for (let index = from + 1; index < to; index += 1) {
      const away = distance(line, index, from, to);
      if (away > worst) [worst, at] = [away, index];
    }
    if (at < 0) continue;
    keep[at] = 1;
    open.push([from, at], [at, to]);
  }
  return line.filter((_, index) => keep[index] === 1);
}

/**
 * Lines that keep the bounds of a plan, the largest of them, and how many were too small for it. `reserved` points are
 * needed for something else.
 */
export function fitted(
  lines: readonly Line[],
  first_tolerance: number | null,
  reserved = 0,
): { lines: Line[]; dropped: number } {
  const large = lines.length <= WALLS_MAX ? lines : largest(lines);
  let tolerance = first_tolerance ?? extentOf(lines) * FIRST_PART;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const limit = tolerance;
    const fewer = large.map((line) => simplified(line, limit));
    if (fewer.reduce((sum, line) => sum + line.length, 0) <= POINTS_MAX - reserved)
      return { lines: fewer, dropped: lines.length - fewer.length };
    tolerance = Math.max(tolerance * COARSER, extentOf(lines) * FIRST_PART);
  }
  throw new PlanFault("too_many_lines");
}

function largest(lines: readonly Line[]): Line[] {
  const sized = lines.map((line) => ({ line, size: extentOf([line]) }));
  return sized
    .sort((a, b) => b.size - a.size)
    .slice(0, WALLS_MAX)
    .map(({ line }) => line);
}

/** The longer side of the rectangle around some lines. */
export function extentOf(lines: readonly Line[]): number {
  const { low, high } = boundsOf(lines);
  return Math.max(high[0] - low[0], high[1] - low[1], 0);
}

/** Distance of a point from the piece between two others. */
function distance(line: Line, index: number, from: number, to: number): number {
  const [[px, py], [ax, ay], [bx, by]] = [line[index], line[from], line[to]] as [Line[0], Line[0], Line[0]];
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - along * dx, py - ay - along * dy);
}
