// Robots: filled where they are known to be, outlined where they were last seen (U-509).

import { isCurrent } from "../../../design/format/freshness";
import { t } from "../../../locales/i18n";
import { type Pen, spot, strokeLine, writeName } from "./pen";
import type { SceneRobot } from "./scene-model";

/** A robot smaller than this on screen is still found at a glance. */
const RADIUS_PX_MIN = 8;
/** A body larger than this is drawn as an outline around the point. */
const POINT_PX = 4;

/** Draws the way behind each robot. */
export function drawTrails(pen: Pen, robots: readonly SceneRobot[]): void {
  pen.context.strokeStyle = pen.ink.line;
  pen.context.lineWidth = pen.ink.stroke_px;
  for (const robot of robots) {
    strokeLine(
      pen,
      robot.trail_m.map((point) => spot(pen, point)),
    );
  }
}

/** Draws every robot with its name. */
export function drawRobots(pen: Pen, robots: readonly SceneRobot[]): void {
  for (const robot of robots) {
    if (robot.base_m) drawBase(pen, robot, robot.base_m);
    drawBody(pen, robot);
    drawHeading(pen, robot);
  }
  // Names come last: a body drawn later must not cover one.
  for (const robot of robots) drawName(pen, robot);
}

function drawBase(pen: Pen, robot: SceneRobot, base_m: SceneRobot["position_m"]): void {
  const { context, ink } = pen;
  const [x, y] = spot(pen, base_m);
  context.strokeStyle = ink.muted;
  context.lineWidth = ink.stroke_px;
  context.strokeRect(x - POINT_PX, y - POINT_PX, 2 * POINT_PX, 2 * POINT_PX);
  strokeLine(pen, [[x, y], spot(pen, robot.position_m)]);
}

function drawBody(pen: Pen, robot: SceneRobot): void {
  const { context, ink } = pen;
  const [x, y] = spot(pen, robot.position_m);
  const current = isCurrent(robot.freshness);
  const radius_px = Math.max(RADIUS_PX_MIN, robot.body_radius_m * pen.camera.px_per_m);
  context.strokeStyle = current ? ink.text : ink.muted;
  context.lineWidth = ink.strong_px;
  context.fillStyle = ink.scene;
  context.beginPath();
  context.arc(x, y, radius_px, 0, 2 * Math.PI);
  context.setLineDash(current ? [] : [3, 3]);
  if (robot.heading_rad !== null) context.fill();
  context.stroke();
  context.setLineDash([]);
  if (!current) return;
  context.beginPath();
  context.arc(x, y, Math.min(POINT_PX, radius_px), 0, 2 * Math.PI);
  context.fillStyle = ink.text;
  context.fill();
}

function drawHeading(pen: Pen, robot: SceneRobot): void {
  if (robot.heading_rad === null || pen.camera.side !== "top") return;
  const [x, y] = spot(pen, robot.position_m);
  const reach_px = Math.max(RADIUS_PX_MIN, robot.body_radius_m * pen.camera.px_per_m) + 6;
  pen.context.strokeStyle = isCurrent(robot.freshness) ? pen.ink.text : pen.ink.muted;
  pen.context.lineWidth = pen.ink.strong_px;
  strokeLine(pen, [
    [x, y],
    [x + Math.cos(robot.heading_rad) * reach_px, y - Math.sin(robot.heading_rad) * reach_px],
  ]);
}

function drawName(pen: Pen, robot: SceneRobot): void {
  const radius_px = Math.max(RADIUS_PX_MIN, robot.body_radius_m * pen.camera.px_per_m);
  const current = isCurrent(robot.freshness);
  const text = current ? robot.id : t("scene.last_seen", { robot: robot.id, age: robot.age });
  writeName(pen, text, spot(pen, robot.position_m), radius_px, current ? pen.ink.text : pen.ink.muted);
}
