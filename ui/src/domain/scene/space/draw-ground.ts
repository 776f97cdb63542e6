// The ground of a scene: a metre grid at z = 0 and the three axes of its frame.

import type { Object3D } from "three";
import type { Vec3 } from "../flat/transform";
import { scaleBarM } from "../flat/view";
import { type Kit, lines, type Piece } from "./line-work";
import type { PlacedName } from "./names";
import type { Orbit } from "./orbit";

/** Lines to each side of what is looked at. */
const LINES = 10;
/** Distance of the eye in steps of the grid. */
const STEPS_TO_EYE = 6;

/** Length of a step of the grid, metres: 1, 2 or 5 times a power of ten. */
export function gridStepM({ distance_m }: Orbit): number {
  return scaleBarM(1, distance_m / STEPS_TO_EYE);
}

/** Draws the grid around what is looked at, and the axes at the frame's origin. */
export function drawGround(kit: Kit, orbit: Orbit): Object3D[] {
  const step_m = gridStepM(orbit);
  const [x0, y0] = [orbit.target_m[0], orbit.target_m[1]].map((value) => Math.round(value / step_m) * step_m) as [
    number,
    number,
  ];
  const reach_m = LINES * step_m;
  const places = Array.from({ length: 2 * LINES + 1 }, (_, place) => (place - LINES) * step_m);
  const across = places.map((y): Piece => [
    [x0 - reach_m, y0 + y, 0],
    [x0 + reach_m, y0 + y, 0],
  ]);
  const along = places.map((x): Piece => [
    [x0 + x, y0 - reach_m, 0],
    [x0 + x, y0 + reach_m, 0],
  ]);
  const axes = axisEnds(orbit).map(({ end_m }): Piece => [[0, 0, 0], end_m]);
  return [
    lines(kit, [...across, ...along], { color: kit.ink.grid_major, width_px: 1 }),
    lines(kit, axes, { color: kit.ink.muted, width_px: kit.ink.strong_px }),
  ];
}

/** Names at the ends of the axes. */
export function axisNames(orbit: Orbit): PlacedName[] {
  return axisEnds(orbit).map(({ name, end_m }) => ({ text: name, at_m: end_m, muted: true }));
}

function axisEnds(orbit: Orbit): readonly { name: string; end_m: Vec3 }[] {
  const length_m = gridStepM(orbit) / 2;
  return [
    { name: "x", end_m: [length_m, 0, 0] },
    { name: "y", end_m: [0, length_m, 0] },
    { name: "z", end_m: [0, 0, length_m] },
  ];
}
