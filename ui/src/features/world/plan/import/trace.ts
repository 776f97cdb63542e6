// Outlines of the occupied cells of a map: each runs around its cells with them at its left.

import { type Line, Lines } from "./plan-file";

/** Steps to the right, up, left and down. */
const STEPS: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** Cells from the lower left corner, row by row upwards; 1 where something is. */
export type Cells = { width: number; height: number; occupied: Uint8Array };

/** Closed outlines in cells. `onPart` hears how much has been looked at, from 0 to 1. */
export function outlines({ width, height, occupied }: Cells, onPart: (part: number) => void): Line[] {
  const stride = width + 1;
  const edges = edgesOf({ width, height, occupied });
  const found = new Lines();
  for (let start = 0; start < edges.length; start += 1) {
    if (start % (stride * 64) === 0) onPart(start / edges.length);
    while ((edges[start] ?? 0) !== 0) found.add(walk(edges, stride, start));
  }
  return found.all;
}

/** For each corner of the cells, a bit for each direction in which an outline leaves it. */
function edgesOf({ width, height, occupied }: Cells): Uint8Array {
  const stride = width + 1;
  const edges = new Uint8Array(stride * (height + 1));
  const isFree = (x: number, y: number) => x < 0 || y < 0 || x >= width || y >= height || occupied[y * width + x] === 0;
  const leave = (x: number, y: number, direction: number) => {
    edges[y * stride + x] = (edges[y * stride + x] ?? 0) | (1 << direction);
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (isFree(x, y)) continue;
      if (isFree(x, y - 1)) leave(x, y, 0);
      if (isFree(x + 1, y)) leave(x + 1, y, 1);
      if (isFree(x, y + 1)) leave(x + 1, y + 1, 2);
      if (isFree(x - 1, y)) leave(x, y + 1, 3);
    }
  }
  return edges;
}

/** Follows one outline and takes it away. Cells that touch at a corner belong together, so it turns right where it can. */
function walk(edges: Uint8Array, stride: number, start: number): Line {
  const line: Line = [];
  let at = start;
  let last = -1;
  do {
    const bits = edges[at] ?? 0;
    const turns = last < 0 ? [0, 1, 2, 3] : [last + 3, last, last + 1].map((direction) => direction % 4);
    const direction = turns.find((candidate) => (bits & (1 << candidate)) !== 0);
    if (direction === undefined) break;
    edges[at] = bits & ~(1 << direction);
    if (direction !== last) line.push([at % stride, Math.floor(at / stride)]);
    const [right, up] = STEPS[direction] ?? [0, 0];
    at += right + up * stride;
    last = direction;
  } while (at !== start);
  line.push([at % stride, Math.floor(at / stride)]);
  return line;
}
