// Robots from above: ring and heading, filled while one moves, with its state in the centre; outlined and dashed where
// one was last seen (U-509).

import { isCurrent } from "../../../design/format/freshness";
import { formatNumber } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";
import { type LabelLine, PRIORITY } from "./draw-labels";
import { besides, squareAround } from "./labels";
import { hatch, type Pen, spot, strokeLine } from "./pen";
import type { SceneRobot } from "./scene-model";
import type { Spot } from "./view";

/** A robot smaller than this on screen is still found at a glance. */
const RADIUS_PX_MIN = 14;
/** A tool is a point; its ring stands for the place, not for a size. */
const TOOL_PX_MIN = 7;
/** The chosen robot has a ring outside of everything else, this far off. */
const CHOSEN_PX = 5;
/** The heading reaches beyond the ring by this much. */
const HEADING_PX = 8;
/** Half the side of an arm's stand. */
const STAND_PX = 9;
/** Width of an arm's links: an outline around the scene's own colour. */
const LINK_PX = 9;

/** Radius of a robot as it is drawn, px. */
export function radiusPx(robot: SceneRobot, px_per_m: number): number {
  return Math.max(robot.shape === "rover" ? RADIUS_PX_MIN : TOOL_PX_MIN, robot.body_radius_m * px_per_m);
}

/** Draws the way behind each robot, as dots. */
export function drawTrails(pen: Pen, robots: readonly SceneRobot[]): void {
  const { context, ink } = pen;
  context.save();
  context.strokeStyle = ink.line;
  context.lineWidth = 2.5;
  context.lineCap = "round";
  for (const robot of robots) {
    for (const stretch of robot.trail_m)
      strokeLine(
        pen,
        stretch.map((point) => spot(pen, point)),
        [0, 7],
      );
  }
  context.restore();
}

/** Draws every robot, and asks for its name. */
export function drawRobots(pen: Pen, robots: readonly SceneRobot[], chosen: string | null): void {
  for (const robot of robots) {
    if (robot.base_m) drawArm(pen, robot, robot.base_m);
    drawBody(pen, robot);
    if (robot.id === chosen) drawChosen(pen, robot);
    nameRobot(pen, robot, chosen);
  }
}

function inkOf({ ink }: Pen, robot: SceneRobot): string {
  if (!isCurrent(robot.freshness)) return ink.muted;
  return robot.look === "disarmed" || robot.look === "stale" ? ink.muted : ink.text;
}

function drawArm(pen: Pen, robot: SceneRobot, base_m: SceneRobot["position_m"]): void {
  const { context, ink } = pen;
  const [x, y] = spot(pen, base_m);
  const links: readonly Spot[] = [[x, y], spot(pen, robot.position_m)];
  const dash = isCurrent(robot.freshness) ? [] : [4, 4];
  context.save();
  context.lineCap = "round";
  context.strokeStyle = inkOf(pen, robot);
  context.lineWidth = LINK_PX;
  strokeLine(pen, links);
  context.strokeStyle = ink.scene;
  context.lineWidth = LINK_PX - 2 * ink.stroke_px;
  strokeLine(pen, links);
  context.restore();
  context.fillStyle = ink.scene;
  context.strokeStyle = inkOf(pen, robot);
  context.lineWidth = ink.stroke_px;
  context.setLineDash(dash);
  context.beginPath();
  context.roundRect(x - STAND_PX, y - STAND_PX, 2 * STAND_PX, 2 * STAND_PX, 3);
  context.fill();
  context.stroke();
  context.setLineDash([]);
  pen.taken.push(squareAround([x, y], STAND_PX));
}

function drawBody(pen: Pen, robot: SceneRobot): void {
  const { context, ink } = pen;
  const at = spot(pen, robot.position_m);
  const [x, y] = at;
  const current = isCurrent(robot.freshness);
  const radius_px = radiusPx(robot, pen.camera.px_per_m);
  const disc = () => {
    context.moveTo(x + radius_px, y);
    context.arc(x, y, radius_px, 0, 2 * Math.PI);
  };
  context.beginPath();
  disc();
  context.fillStyle = current && robot.look === "moving" ? ink.text : ink.scene;
  context.fill();
  if (!current) hatch(pen, squareAround(at, radius_px), ink.hatch, disc, -1);
  context.strokeStyle = inkOf(pen, robot);
  context.lineWidth = ink.strong_px;
  context.setLineDash(current ? [] : [4, 4]);
  context.beginPath();
  disc();
  context.stroke();
  context.setLineDash([]);
  drawHeading(pen, robot, at, radius_px);
  if (current) drawCentre(pen, robot, at, radius_px);
  pen.taken.push(squareAround(at, radius_px));
}

/** From halfway out to beyond the ring; inside a filled ring it is drawn in the scene's colour. */
function drawHeading(pen: Pen, robot: SceneRobot, [x, y]: Spot, radius_px: number): void {
  const { context, ink } = pen;
  if (robot.heading_rad === null || pen.camera.side !== "top") return;
  const [cos, sin] = [Math.cos(robot.heading_rad), Math.sin(robot.heading_rad)];
  const on = (share_px: number): Spot => [x + cos * share_px, y - sin * share_px];
  context.lineWidth = ink.strong_px;
  context.strokeStyle = inkOf(pen, robot);
  const tip = on(radius_px + HEADING_PX);
  strokeLine(pen, [on(0.35 * radius_px), tip]);
  pen.taken.push(squareAround(tip, HEADING_PX / 2));
  if (robot.look !== "moving" || !isCurrent(robot.freshness)) return;
  context.strokeStyle = ink.scene;
  strokeLine(pen, [on(0.35 * radius_px), on(radius_px - ink.strong_px)]);
}

/** Two bars for held, the octagon for stopped; a tool has its point. */
function drawCentre(pen: Pen, robot: SceneRobot, [x, y]: Spot, radius_px: number): void {
  const { context, ink } = pen;
  context.fillStyle = ink.text;
  const half_px = Math.min(radius_px * 0.5, 14);
  switch (robot.look) {
    case "held":
      for (const side of [-1, 1]) context.fillRect(x + side * half_px * 0.5 - 2, y - half_px, 4, 2 * half_px);
      return;
    case "stopped":
      context.beginPath();
      for (let corner = 0; corner < 8; corner += 1) {
        const turn = Math.PI / 8 + (corner * Math.PI) / 4;
        context.lineTo(x + Math.cos(turn) * half_px, y + Math.sin(turn) * half_px);
      }
      context.fill();
      return;
    case "disarmed":
    case "armed":
    case "moving":
    case "stale":
      if (robot.shape === "rover") return;
      context.beginPath();
      context.arc(x, y, 2, 0, 2 * Math.PI);
      context.fillStyle = robot.look === "moving" ? ink.scene : ink.text;
      context.fill();
  }
}

function drawChosen(pen: Pen, robot: SceneRobot): void {
  const { context, ink } = pen;
  const [x, y] = spot(pen, robot.position_m);
  context.strokeStyle = ink.focus;
  context.lineWidth = ink.strong_px;
  context.beginPath();
  context.arc(x, y, radiusPx(robot, pen.camera.px_per_m) + CHOSEN_PX, 0, 2 * Math.PI);
  context.stroke();
}

function nameRobot(pen: Pen, robot: SceneRobot, chosen: string | null): void {
  const at = spot(pen, robot.position_m);
  const radius_px = radiusPx(robot, pen.camera.px_per_m) + (robot.id === chosen ? CHOSEN_PX : 0);
  const trouble = !isCurrent(robot.freshness) || robot.look === "stopped" || robot.look === "held";
  pen.labels.push({
    id: `robot ${robot.id}`,
    priority: robot.id === chosen ? PRIORITY.chosen : trouble ? PRIORITY.trouble : PRIORITY.robot,
    lines: linesOf(pen, robot),
    places: (size) => besides(at, radius_px, size),
  });
}

/** The name, then one fact. */
function linesOf({ ink }: Pen, robot: SceneRobot): LabelLine[] {
  const current = isCurrent(robot.freshness);
  const name = { text: robot.id, color: current ? ink.text : ink.muted, strong: true };
  const fact = current ? factOf(robot) : t("scene.last_seen", { age: robot.age });
  return fact === null ? [name] : [name, { text: fact, color: ink.muted, strong: false }];
}

function factOf({ look, speed_mps }: SceneRobot): string | null {
  switch (look) {
    case "moving":
      return speed_mps === null ? t("scene.moving") : `${formatNumber(speed_mps, 2)} m/s`;
    case "held":
      return t("scene.held");
    case "stopped":
      return t("scene.stopped");
    case "disarmed":
    case "armed":
    case "stale":
      return null;
  }
}
