// A plan that was saved as a file: the form that the station keeps, from a file that anybody may have written.

import type { SitePlan } from "../../../../generated/bindings/SitePlan";
import type { PlanPoint } from "../../../../domain/scene/flat/scene-plan";
import { PlanFault, POINTS_MAX } from "./plan-file";

/** Reads a plan; whether its numbers are within bounds is the station's to say. */
export function readJson(text: string): SitePlan {
  const plan = parsed(text);
  const walls = list(plan["walls"]).map(points);
  const areas = list(plan["areas"]).map((area) => {
    if (!isRecord(area) || typeof area["name"] !== "string") throw new PlanFault("bad_json");
    return { name: area["name"], corners: points(area["corners"]) };
  });
  const count = [...walls, ...areas.map(({ corners }) => corners)].reduce((sum, { length }) => sum + length, 0);
  // The station refuses it too, but only after the scene has drawn it.
  if (count > POINTS_MAX) throw new PlanFault("too_many_lines");
  if (typeof plan["frame"] !== "string") throw new PlanFault("bad_json");
  return { frame: plan["frame"], walls, areas };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below.
  }
  throw new PlanFault("bad_json");
}

function points(value: unknown): [number, number][] {
  return list(value).map((point) => {
    const [x, y] = list(point) as unknown as PlanPoint;
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new PlanFault("bad_json");
    return [x, y];
  });
}

function list(value: unknown): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new PlanFault("bad_json");
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
