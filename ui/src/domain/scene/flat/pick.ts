// The robot that a press on the scene means.

import type { Spot } from "./view";

/** A robot as it is drawn. */
export type Disc = { id: string; at: Spot; radius_px: number };

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
