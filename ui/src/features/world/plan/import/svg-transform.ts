// Transforms of an SVG, as it writes them.

import type { PlanPoint } from "../../../../domain/scene/flat/scene-plan";

/** `[a, b, c, d, e, f]` of the matrix that SVG names so. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Leaves everything where it is. */
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** A point after a transform. */
export function moved([a, b, c, d, e, f]: Matrix, [x, y]: PlanPoint): PlanPoint & [number, number] {
  return [a * x + c * y + e, b * x + d * y + f] as PlanPoint & [number, number];
}

/** The transform that does `inner` first. */
export function times(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, u, v] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * u + c * v + e, b * u + d * v + f];
}

/** Reads a `transform`; a part that cannot be read changes nothing. */
export function parseTransform(text: string): Matrix {
  let matrix = IDENTITY;
  for (const [, name = "", inside = ""] of text.matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const numbers = inside
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (numbers.every(Number.isFinite)) matrix = times(matrix, oneTransform(name, numbers));
  }
  return matrix;
}

function oneTransform(name: string, numbers: readonly number[]): Matrix {
  const [first = 0, second, third] = numbers;
  const angle = (first * Math.PI) / 180;
  switch (name) {
    case "matrix":
      return numbers.length === 6 ? (numbers as unknown as Matrix) : IDENTITY;
    case "translate":
      return [1, 0, 0, 1, first, second ?? 0];
    case "scale":
      return [first, 0, 0, second ?? first, 0, 0];
    case "rotate": {
      const [cx, cy] = [second ?? 0, third ?? 0];
      const turned: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
      return times(times([1, 0, 0, 1, cx, cy], turned), [1, 0, 0, 1, -cx, -cy]);
    }
    case "skewX":
      return [1, 0, Math.tan(angle), 1, 0, 0];
    case "skewY":
      return [1, Math.tan(angle), 0, 1, 0, 0];
    default:
      return IDENTITY;
  }
}
