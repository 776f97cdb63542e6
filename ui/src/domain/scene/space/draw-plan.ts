// The site plan in three dimensions: walls as low outlines that hide nothing, areas as their edges on the ground.

import type { Object3D } from "three";
import type { PlanPoint, ScenePlan } from "../flat/scene-plan";
import type { Vec3 } from "../flat/transform";
import { chain, fence, type Kit, lines } from "./line-work";
import type { PlacedName } from "./names";

/** Height of a wall: low enough to see a robot behind it, metres. */
const WALL_M = 0.4;

/** Draws a plan on the ground. */
export function drawPlan(kit: Kit, plan: ScenePlan): Object3D[] {
  const { ink } = kit;
  const feet = plan.walls.flatMap((wall) => chain(raised(wall, 0)));
  const tops = plan.walls.flatMap((wall) => chain(raised(wall, WALL_M)));
  const edges = plan.areas.flatMap(({ corners }) => chain(raised([...corners, ...corners.slice(0, 1)], 0)));
  return [
    lines(kit, edges, { color: ink.plan, width_px: 1 }),
    lines(kit, [...feet, ...tops], { color: ink.plan, width_px: ink.stroke_px }),
    fence(feet, WALL_M, ink.plan),
  ];
}

function raised(points: readonly PlanPoint[], z: number): Vec3[] {
  return points.map(([x, y]) => [x, y, z]);
}

/** Names of areas, each in the middle of its corners. */
export function areaNames({ areas }: ScenePlan): PlacedName[] {
  return areas.map(({ name, corners }) => {
    const middle = (axis: 0 | 1) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
    return { text: name, at_m: [middle(0), middle(1), 0], muted: true };
  });
}
