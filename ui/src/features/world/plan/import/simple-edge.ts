// Edges of areas as the station takes them: they enclose something, and never cross or touch themselves.

import type { PlanPoint } from "../../../../domain/scene/flat/scene-plan";

type Edge = readonly [PlanPoint, PlanPoint];

/** True if the closed edge through some corners shares no point with itself but its corners. */
export function isSimple(corners: readonly PlanPoint[]): boolean {
  const edges = corners.map((corner, at): Edge => [corner, corners[(at + 1) % corners.length] ?? corner]);
  const last = edges.length - 1;
  return (
    edges.length > 2 &&
    edges.every((edge, at) => {
      const before = edges.at(at - 1) ?? edge;
      const others = edges.slice(at + 2, at === 0 ? last : undefined);
      return !isPoint(edge) && !turnsBack(before, edge) && !others.some((other) => meet(edge, other));
    })
  );
}

function isPoint([[ax, ay], [bx, by]]: Edge): boolean {
  return ax === bx && ay === by;
}

/** Twice the area of a triangle; positive if it turns left. */
function turn([ax, ay]: PlanPoint, [bx, by]: PlanPoint, [cx, cy]: PlanPoint): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/** True if an edge runs back along the one before it. */
function turnsBack([from, corner]: Edge, [, to]: Edge): boolean {
  const along = (corner[0] - from[0]) * (to[0] - corner[0]) + (corner[1] - from[1]) * (to[1] - corner[1]);
  return turn(from, corner, to) === 0 && along < 0;
}

/** True if two edges share a point. */
function meet([a, b]: Edge, [c, d]: Edge): boolean {
  const [cSide, dSide, aSide, bSide] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (cSide * dSide < 0 && aSide * bSide < 0) return true;
  const touches = (side: number, edge: Edge, point: PlanPoint) => side === 0 && spans(edge, point);
  return (
    touches(cSide, [a, b], c) || touches(dSide, [a, b], d) || touches(aSide, [c, d], a) || touches(bSide, [c, d], b)
  );
}

/** True if a point, which lies on the line through an edge, lies between its ends. */
function spans([[ax, ay], [bx, by]]: Edge, [x, y]: PlanPoint): boolean {
  return within(ax, bx, x) && within(ay, by, y);
}

function within(a: number, b: number, value: number): boolean {
  return Math.min(a, b) <= value && value <= Math.max(a, b);
}
