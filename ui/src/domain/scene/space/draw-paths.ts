// Ways that somebody asked for: where open proposals lead, and what is wrong with a denied one.

import type { Object3D } from "three";
import type { SceneDenial, SceneGoal } from "../flat/scene-model";
import type { Vec3 } from "../flat/transform";
import { ball, chain, cross, type Kit, lines, ring } from "./line-work";

/** Marks in dashes of the scene, so that they keep their size against what is in sight. */
const CROSS_DASHES = 1.5;
const POINT_DASHES = 0.5;

/** Draws predicted ways, dashed, with a cross at their ends. */
export function drawGoals(kit: Kit, goals: readonly SceneGoal[]): Object3D[] {
  const { ink, dash_m } = kit;
  return goals.flatMap(({ path_m, to_m }) => [
    lines(kit, chain(path_m), { color: ink.predicted, width_px: ink.strong_px, dashed: true }),
    lines(kit, [...cross(to_m, CROSS_DASHES * dash_m), ...ring(to_m, dash_m, 2)], {
      color: ink.predicted,
      width_px: ink.strong_px,
    }),
  ]);
}

/**
 * Draws the way as predicted, and as fact a cross at its worst point and how far from there the nearest allowed one is.
 */
export function drawDenial(kit: Kit, { path_m, worst }: SceneDenial): Object3D[] {
  const { ink, dash_m } = kit;
  const fact = { color: ink.text, width_px: ink.strong_px };
  const point = (at_m: Vec3, color: string) => ball(at_m, POINT_DASHES * dash_m, color);
  const start = path_m.length > 1 ? path_m[0] : undefined;
  return [
    ...(path_m.length > 1
      ? [lines(kit, chain(path_m), { color: ink.predicted, width_px: ink.strong_px, dashed: true })]
      : []),
    ...(start ? [point(start, ink.muted)] : []),
    ...(worst ? [lines(kit, cross(worst.point_m, CROSS_DASHES * dash_m), fact)] : []),
    ...(worst?.nearest_m
      ? [
          lines(
            kit,
            [
              [worst.nearest_m, worst.point_m],
              ...([0, 1, 2] as const).flatMap((axis) => ring(worst.nearest_m ?? worst.point_m, dash_m, axis)),
            ],
            fact,
          ),
        ]
      : []),
  ];
}
