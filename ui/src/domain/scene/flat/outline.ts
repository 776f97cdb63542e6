// The outline that a side shows of a limit: the edge around everything that its corners enclose there.

import { boxCorners, type SceneBox } from "./box";
import type { Box } from "./labels";
import { type Camera, type CanvasSize, type Spot, toSpot } from "./view";

/** Corners of a box's outline on the canvas, one after the other. */
export function outlineOf(box: SceneBox, camera: Camera, size: CanvasSize): Spot[] {
  return hullOf(boxCorners(box).map((corner) => toSpot(camera, size, corner)));
}

/** The spots that enclose all others, one after the other; two where all lie on a line. */
export function hullOf(spots: readonly Spot[]): Spot[] {
  const sorted = spots.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const [there, back] = [chainOf(sorted), chainOf(sorted.toReversed())];
  // Each of the two chains ends where the other begins.
  return [...there.slice(0, -1), ...back.slice(0, -1)];
}

/** Spots closer to a line than this lie on it, square px. */
const ON_LINE = 1e-6;

/** The spots of one half of the hull, in their order. */
function chainOf(sorted: readonly Spot[]): Spot[] {
  const kept: Spot[] = [];
  for (const spot of sorted) {
    while (kept.length > 1 && !turnsLeft(kept.at(-2) ?? spot, kept.at(-1) ?? spot, spot)) kept.pop();
    kept.push(spot);
  }
  return kept;
}

function turnsLeft(one: Spot, two: Spot, three: Spot): boolean {
  return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0]) > ON_LINE;
}

/** The box around spots. */
export function boundsOf(spots: readonly Spot[]): Box {
  const [rights, downs] = [spots.map(([x]) => x), spots.map(([, y]) => y)];
  return {
    left: Math.min(...rights),
    top: Math.min(...downs),
    right: Math.max(...rights),
    bottom: Math.max(...downs),
  };
}

/** Each edge of an outline with its two ends. */
export function edgesOf(outline: readonly Spot[]): (readonly [Spot, Spot])[] {
  return outline.map((spot, place) => [spot, outline[(place + 1) % outline.length] ?? spot]);
}
