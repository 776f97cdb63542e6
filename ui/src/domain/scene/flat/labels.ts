// Places for the names of a scene: none lies over another, over a robot or outside, and where there is no room the less
// important one is left out. The words beside the scene name everything.

import type { CanvasSize, Spot } from "./view";

/** A part of the canvas, CSS pixels. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** A name that wants to be written. */
export type Wish = {
  id: string;
  /** The greater one is placed first. */
  priority: number;
  /** The best place comes first. */
  places: readonly Box[];
};

/** A place that was found; `place` is its number among those of the wish. */
export type Placed = { box: Box; place: number };

/** Gap between a thing and its name, px. */
const GAP_PX = 6;
/** Gap between an edge with its ticks and a name inside it, px. */
const INSET_PX = 10;

/**
 * Places by id. `before` holds the numbers that were chosen last time: a name stays there while it can, so that it does
 * not jump to and fro while its robot moves.
 */
export function placeLabels(
  wishes: readonly Wish[],
  room: Box,
  taken: readonly Box[],
  before: ReadonlyMap<string, number>,
): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  const full = [...taken];
  // Equal ranks go by id: rows in another order must not make the names change places.
  const ranked = wishes.toSorted((a, b) => b.priority - a.priority || a.id.localeCompare(b.id));
  for (const { id, places } of ranked) {
    const options = places.map((box, place) => ({ box, place }));
    const last = before.get(id);
    const free = options
      .toSorted((a, b) => Number(b.place === last) - Number(a.place === last))
      .find(({ box }) => isInside(box, room) && full.every((other) => !overlap(box, other)));
    if (!free) continue;
    placed.set(id, free);
    full.push(free.box);
  }
  return placed;
}

/** Eight places around a thing of this radius, those at its sides first. */
export function besides([x, y]: Spot, radius_px: number, size: CanvasSize): Box[] {
  const { width_px, height_px } = size;
  const [right, left] = [x + radius_px + GAP_PX, x - radius_px - GAP_PX - width_px];
  const [above, below] = [y - radius_px - GAP_PX - height_px, y + radius_px + GAP_PX];
  const [middle_x, middle_y] = [x - width_px / 2, y - height_px / 2];
  // At the corners of a circle there is more room than at those of the square around it.
  const corner_px = radius_px * Math.SQRT1_2 + GAP_PX / 2;
  const corners: readonly Spot[] = [
    [x + corner_px, y + corner_px],
    [x - corner_px - width_px, y + corner_px],
    [x + corner_px, y - corner_px - height_px],
    [x - corner_px - width_px, y - corner_px - height_px],
  ];
  const sides: readonly Spot[] = [
    [right, middle_y],
    [left, middle_y],
    [middle_x, below],
    [middle_x, above],
  ];
  return [...sides, ...corners].map((corner) => boxAt(corner, size));
}

/**
 * The corners inside a rectangle, as far as it is in sight; none if the name is wider than it, or if no edge is in sight
 * that it would be the name of.
 */
export function within(rectangle: Box, room: Box, size: CanvasSize): Box[] {
  if (isInside(room, rectangle)) return [];
  const seen = meet(rectangle, room);
  const left = seen.left + INSET_PX;
  const right = seen.right - INSET_PX - size.width_px;
  const top = seen.top + INSET_PX;
  const bottom = seen.bottom - INSET_PX - size.height_px;
  if (right < left || bottom < top) return [];
  const corners: readonly Spot[] = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ];
  return corners.map((corner) => boxAt(corner, size));
}

/** Above the middle of a rectangle, below it, and beside it. */
export function around(rectangle: Box, size: CanvasSize): Box[] {
  const middle_x = (rectangle.left + rectangle.right - size.width_px) / 2;
  const middle_y = (rectangle.top + rectangle.bottom - size.height_px) / 2;
  const corners: readonly Spot[] = [
    [middle_x, rectangle.top - GAP_PX / 2 - size.height_px],
    [middle_x, rectangle.bottom + GAP_PX / 2],
    [rectangle.right + GAP_PX, middle_y],
    [rectangle.left - GAP_PX - size.width_px, middle_y],
  ];
  return corners.map((corner) => boxAt(corner, size));
}

/** The square around a circle. */
export function squareAround([x, y]: Spot, radius_px: number): Box {
  return { left: x - radius_px, top: y - radius_px, right: x + radius_px, bottom: y + radius_px };
}

/** True if two boxes share more than an edge. */
export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isInside(box: Box, room: Box): boolean {
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}

function meet(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

function boxAt([left, top]: Spot, { width_px, height_px }: CanvasSize): Box {
  return { left, top, right: left + width_px, bottom: top + height_px };
}
