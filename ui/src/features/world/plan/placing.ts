// A drawing that is being put on its site: its fields as they are written, and the plan that comes of them.

import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { fieldText, parseDecimal } from "../../../design/fields/decimal";
import { areasAt, firstPlacement, type Placement, wallsAt } from "./import/place-plan";
import type { PlanFile } from "./import/plan-file";

/** The fields of a placement as they are written. */
export type PlacementTexts = Readonly<Record<keyof Placement, string>>;

/** A drawing and its fields. */
export type Placing = { file: PlanFile; texts: PlacementTexts };

/** The fields before anybody has changed one. */
export function firstTexts(file: PlanFile): PlacementTexts {
  const first = firstPlacement(file);
  // Nobody but whoever drew it knows the scale of a drawing that does not say it.
  const scale = file.metres_per_unit === null ? "" : fieldText(first.metres_per_unit);
  return { metres_per_unit: scale, x_m: fieldText(first.x_m), y_m: fieldText(first.y_m), turn_deg: "0" };
}

/** The placement that the fields describe; null while one of them is no number. */
export function placementOf(texts: PlacementTexts): Placement | null {
  const read = (key: keyof Placement) => {
    const decimal = parseDecimal(texts[key]);
    return "value" in decimal ? decimal.value : Number.NaN;
  };
  const placement = {
    metres_per_unit: read("metres_per_unit"),
    x_m: read("x_m"),
    y_m: read("y_m"),
    turn_deg: read("turn_deg"),
  };
  return Object.values(placement).every(Number.isFinite) && placement.metres_per_unit > 0 ? placement : null;
}

/** A plan with the drawing in it, where its fields put it; areas of the drawing take the place of those with their names. */
export function withDrawing(plan: SitePlan, { file, texts }: Placing): SitePlan | null {
  const placement = placementOf(texts);
  const walls = placement && wallsAt(file, placement);
  if (placement === null || walls === null) return null;
  const found = areasAt(file, placement);
  const names = new Set(found.map(({ name }) => name));
  return { ...plan, walls, areas: [...plan.areas.filter(({ name }) => !names.has(name)), ...found] };
}
