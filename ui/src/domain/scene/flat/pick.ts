// The robot or the limit that a press on the scene means.

import type { Box } from "./labels";
import type { Spot } from "./view";

/** A robot as it is drawn. */
export type Disc = { id: string; at: Spot; radius_px: number };

/** The outline of a limit as it is drawn: a box, or the circle in it. */
export type Outline = { id: string; box: Box; round: boolean };

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
function awayFrom({ box: { left, top, right, bottom }, round }: Outline, [x, y]: Spot): number {
  if (round) return Math.abs(Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) - (right - left) / 2);
  const [dx, dy] = [Math.max(left - x, x - right), Math.max(top - y, y - bottom)];
  return dx > 0 || dy > 0 ? Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) : -Math.max(dx, dy);
}
