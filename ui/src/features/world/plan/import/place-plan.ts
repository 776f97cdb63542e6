// The lines of a file as walls of a site: scaled, turned, and put where its lower left corner belongs.

import type { SitePlan } from "../../../../generated/bindings/SitePlan";
import type { Line, PlanFile } from "./plan-file";
import { isSimple } from "./simple-edge";
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
export function wallsAt(file: PlanFile, placement: Placement): SitePlan["walls"] | null {
  const walls = file.lines.map(placer(file, placement));
  return walls.flat(2).every(isLegal) ? walls : null;
}

/** The named areas of a drawing, without those whose edge would cross or touch itself there. */
export function areasAt(file: PlanFile, placement: Placement): SitePlan["areas"] {
  const place = placer(file, placement);
  return file.areas
    .map(({ name, corners }) => ({ name, corners: withoutSame(place(corners)) }))
    .filter(({ corners }) => isSimple(corners) && corners.flat().every(isLegal));
}

/** Puts lines of a file where they lie on the site. */
function placer({ lines }: PlanFile, { metres_per_unit, x_m, y_m, turn_deg }: Placement) {
  const { low } = boundsOf(lines);
  const angle = (turn_deg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return (line: Line) =>
    line.map(([x, y]): [number, number] => {
      const [right, up] = [(x - low[0]) * metres_per_unit, (y - low[1]) * metres_per_unit];
      return [rounded(x_m + cos * right - sin * up), rounded(y_m + sin * right + cos * up)];
    });
}

/** Corners that are not the same as the one before them. */
function withoutSame(corners: readonly [number, number][]): [number, number][] {
  return corners.filter(([x, y], at) => {
    const before = corners.at(at - 1);
    return before === undefined || before[0] !== x || before[1] !== y;
  });
}

function isLegal(value: number): boolean {
  return Math.abs(value) <= COORDINATE_M_MAX;
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}
