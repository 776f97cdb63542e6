// The lines of a file as walls of a site: scaled, turned, and put where its lower left corner belongs.

import type { SitePlan } from "../../../../generated/bindings/SitePlan";
import type { PlanFile } from "./plan-file";
import { boundsOf } from "../../../../domain/scene/flat/scene-plan";

/** The place of a drawing on its site. */
export type Placement = {
  metres_per_unit: number;
  /** Coordinates of the lower left corner of the drawing before it is turned about it, metres. */
  x_m: number;
  y_m: number;
  turn_deg: number;
};

/** No coordinate of a plan is further away, metres. */
const COORDINATE_M_MAX = 10_000;
/** Walls to the millimetre. */
const DECIMALS = 3;

/** Places a drawing: where it lies in its file, if that is on the site, else with its corner at the origin. */
export function firstPlacement({ lines, metres_per_unit, placed, kind }: PlanFile): Placement {
  const scale = metres_per_unit ?? 1;
  const { low, high } = boundsOf(lines);
  const isNear = [...low, ...high].every((value) => isLegal(value * scale));
  const keeps = placed || (kind === "dxf" && isNear);
  return { metres_per_unit: scale, x_m: keeps ? low[0] * scale : 0, y_m: keeps ? low[1] * scale : 0, turn_deg: 0 };
}

/** The walls of a drawing; null if they would lie outside of any site. */
export function wallsAt(
  { lines }: PlanFile,
  { metres_per_unit, x_m, y_m, turn_deg }: Placement,
): SitePlan["walls"] | null {
  const { low } = boundsOf(lines);
  const angle = (turn_deg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const walls = lines.map((line) =>
    line.map(([x, y]): [number, number] => {
      const [right, up] = [(x - low[0]) * metres_per_unit, (y - low[1]) * metres_per_unit];
      return [rounded(x_m + cos * right - sin * up), rounded(y_m + sin * right + cos * up)];
    }),
  );
  return walls.flat(2).every(isLegal) ? walls : null;
}

function isLegal(value: number): boolean {
  return Math.abs(value) <= COORDINATE_M_MAX;
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}
