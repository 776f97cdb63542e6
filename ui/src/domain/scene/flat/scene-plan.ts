// The site plan of a scene: walls and named areas behind everything else. It is a picture; limits are what stops robots.

import type { SitePlan } from "../../../generated/bindings/SitePlan";
import type { Vec3 } from "./transform";

/** A point of a plan, metres. */
export type PlanPoint = readonly [number, number];

/** A plan in the frame of its scene. `key` differs between two plans that look different. */
export type ScenePlan = {
  key: number;
  walls: readonly (readonly PlanPoint[])[];
  areas: readonly { name: string; corners: readonly PlanPoint[] }[];
  /** Opposite corners of everything in it, on the ground. */
  bounds_m: readonly [Vec3, Vec3];
};

/** Plans that were placed already: one is drawn many times a second. */
const placed = new WeakMap<SitePlan, ScenePlan | null>();
let keys = 0;

/** A plan for the scenes of a frame; null if it shows nothing there. */
export function placePlan(plan: SitePlan, frame: string): ScenePlan | null {
  if (plan.frame !== frame) return null;
  const known = placed.get(plan);
  if (known !== undefined) return known;
  const bounds_m = cornersOf(plan);
  keys += 1;
  const scene = bounds_m && { key: keys, walls: plan.walls, areas: plan.areas, bounds_m };
  placed.set(plan, scene);
  return scene;
}

/** True if it shows the building, so that nobody needs a robot's map for that. */
export function hasWalls(plan: Pick<ScenePlan, "walls"> | null): boolean {
  return plan !== null && plan.walls.length > 0;
}

/** The names of the areas that a point lies in. */
export function areasAt(plan: ScenePlan | null, [x, y]: Vec3): string[] {
  return (plan?.areas ?? []).filter(({ corners }) => isWithin(corners, [x, y])).map(({ name }) => name);
}

/** True if a point lies within a closed edge. */
export function isWithin(corners: readonly PlanPoint[], [x, y]: PlanPoint): boolean {
  let inside = false;
  for (const [index, [ax, ay]] of corners.entries()) {
    const [bx, by] = corners.at(index - 1) ?? [ax, ay];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** Opposite corners of all points of a plan; null if it has none. */
function cornersOf({ walls, areas }: SitePlan): readonly [Vec3, Vec3] | null {
  const { low, high } = boundsOf([...walls, ...areas.map(({ corners }) => corners)]);
  if (!Number.isFinite(low[0])) return null;
  return [
    [low[0], low[1], 0],
    [high[0], high[1], 0],
  ];
}

/** The corners of the rectangle around some lines; infinite if they have no point. */
export function boundsOf(lines: readonly (readonly PlanPoint[])[]): { low: [number, number]; high: [number, number] } {
  const low: [number, number] = [Infinity, Infinity];
  const high: [number, number] = [-Infinity, -Infinity];
  for (const line of lines) {
    for (const [x, y] of line) {
      if (x < low[0]) low[0] = x;
      if (y < low[1]) low[1] = y;
      if (x > high[0]) high[0] = x;
      if (y > high[1]) high[1] = y;
    }
  }
  return { low, high };
}
