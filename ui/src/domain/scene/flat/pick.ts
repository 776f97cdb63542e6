// The robot or the limit that a press on the scene means.

import type { Box } from "./labels";
import { edgesOf } from "./outline";
import type { Spot } from "./view";

/** A robot as it is drawn. */
export type Disc = { id: string; at: Spot; radius_px: number };

/** The outline of a limit as it is drawn: the circle in a box, or straight edges. */
export type Outline = { id: string } & ({ round: true; box: Box } | { round: false; corners: readonly Spot[] });

/** A finger is no finer than this, px. */
const REACH_PX = 6;

/** The robot under a spot: the nearest middle of those in reach, so that a small one over a large one is found. */
export function robotAt(discs: readonly Disc[], [x, y]: Spot): string | null {
  const near = discs
    .map(({ id, at, radius_px }) => ({ id, away_px: Math.hypot(at[0] - x, at[1] - y), radius_px }))
    .filter(({ away_px, radius_px }) => away_px <= radius_px + REACH_PX)
    .sort((a, b) => a.away_px - b.away_px);
  return near[0]?.id ?? null;
}

/** The limit whose outline is nearest to a spot, of those in reach. */
export function outlineAt(outlines: readonly Outline[], spot: Spot): string | null {
  const near = outlines
    .map((outline) => ({ id: outline.id, away_px: awayFrom(outline, spot) }))
    .filter(({ away_px }) => away_px <= REACH_PX)
    .sort((a, b) => a.away_px - b.away_px);
  return near[0]?.id ?? null;
}

/** Distance of a spot from an outline, px. */
function awayFrom(outline: Outline, [x, y]: Spot): number {
  if (!outline.round) return Math.min(...edgesOf(outline.corners).map((edge) => awayFromEdge(edge, [x, y])));
  const { left, top, right, bottom } = outline.box;
  return Math.abs(Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) - (right - left) / 2);
}

function awayFromEdge([[ax, ay], [bx, by]]: readonly [Spot, Spot], [x, y]: Spot): number {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
