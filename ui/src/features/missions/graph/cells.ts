// Cells of a grid over the graph, so that a search for what lies somewhere looks at few missions.

import type { Rect } from "./shortest-way";

/** Side of a cell, px: about a mission with its space. */
export const CELL = 256;

/** Names of the cells that an area touches. */
export function cellsOf({ left, top, right, bottom }: Rect): string[] {
  const cells = [];
  for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column += 1)
    for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row += 1) cells.push(`${column} ${row}`);
  return cells;
}

/** True if areas have more than a side in common. */
export function overlap(one: Rect, other: Rect): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
