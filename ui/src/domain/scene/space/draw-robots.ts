// Robots: solid where they are known to be, dashed outlines where they were last seen (U-509), and the way behind them.

import type { Object3D } from "three";
import { isCurrent } from "../../../design/format/freshness";
import type { SceneRobot } from "../flat/scene-model";
import type { Vec3 } from "../flat/transform";
import { ball, chain, edges, type Kit, lines, type Piece, ring } from "./line-work";

/** The measured point: small against a body, and still found at a glance. */
const POINT_M = 0.05;
/** The stand of an arm. */
const BASE_M = 0.06;
/** Length of the heading line, in radii of the body. */
const HEADING = 1.4;

/** Radius of the ring around a marked robot, in radii of the body. */
const CHOSEN = 1.3;

/** Draws every robot; of one whose body is drawn only the measured point and the way. */
export function drawRobots(kit: Kit, robots: readonly SceneRobot[], hasBody: (robot: string) => boolean): Object3D[] {
  return robots.flatMap((robot) => [
    ...drawTrail(kit, robot),
    ...(hasBody(robot.id) ? [pointOf(kit, robot)] : drawRobot(kit, robot)),
  ]);
}

/** Rings the robot that is marked. */
export function drawChosen(kit: Kit, robots: readonly SceneRobot[], chosen: string | null): Object3D[] {
  const look = { color: kit.ink.focus, width_px: kit.ink.strong_px };
  return robots
    .filter(({ id }) => id === chosen)
    .map(({ position_m, body_radius_m }) => lines(kit, ring(position_m, CHOSEN * body_radius_m, 2), look));
}

function pointOf({ ink }: Kit, { position_m, body_radius_m }: SceneRobot): Object3D {
  return ball(position_m, Math.min(POINT_M, body_radius_m) / 2, ink.text);
}

function drawTrail(kit: Kit, { trail_m }: SceneRobot): Object3D[] {
  const pieces = trail_m.flatMap(chain);
  return pieces.length === 0 ? [] : [lines(kit, pieces, { color: kit.ink.line, width_px: kit.ink.stroke_px })];
}

function drawRobot(kit: Kit, robot: SceneRobot): Object3D[] {
  const { ink } = kit;
  const { position_m, body_radius_m, base_m, freshness } = robot;
  const current = isCurrent(freshness);
  const look = { color: current ? ink.text : ink.muted, width_px: ink.stroke_px, dashed: !current };
  // A robot that drives stands on the ground as a circle; a tool is a ball in space.
  const body =
    robot.heading_rad === null
      ? ([0, 1, 2] as const).flatMap((axis) => ring(position_m, body_radius_m, axis))
      : ring(position_m, body_radius_m, 2);
  const stand = base_m
    ? [...edges({ min_m: shifted(base_m, -BASE_M), max_m: shifted(base_m, BASE_M) }), [base_m, position_m] as const]
    : [];
  const outline = lines(kit, [...body, ...stand, ...heading(robot)], look);
  return current ? [outline, ball(position_m, Math.min(POINT_M, body_radius_m), ink.text)] : [outline];
}

function heading({ position_m: [x, y, z], heading_rad, body_radius_m }: SceneRobot): Piece[] {
  if (heading_rad === null) return [];
  const reach_m = body_radius_m * HEADING;
  return [
    [
      [x, y, z],
      [x + reach_m * Math.cos(heading_rad), y + reach_m * Math.sin(heading_rad), z],
    ],
  ];
}

function shifted([x, y, z]: Vec3, by_m: number): Vec3 {
  return [x + by_m, y + by_m, z + by_m];
}
