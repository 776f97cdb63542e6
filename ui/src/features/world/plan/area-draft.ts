// An area of a site plan as somebody writes it down: a name, and its corners as text or as a rectangle on the scene.

import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import type { PlanArea } from "../../../generated/bindings/PlanArea";
import { fieldText, parseDecimal } from "../../../design/fields/decimal";
import type { PlanPoint } from "../../../domain/scene/flat/scene-plan";
import { t } from "../../../locales/i18n";

/** Longest name of an area, characters. */
const NAME_CHARS_MAX = 60;
/** Drawn to the centimetre. */
const DECIMALS = 2;

/** Each corner in a line of its own: `x y`. */
export function cornersText(corners: readonly PlanPoint[]): string {
  // With the decimal mark of the window: by another one three decimals could be thousands, and are refused.
  return corners.map(([x, y]) => `${fieldText(x)} ${fieldText(y)}`).join("\n");
}

/** The corners in a text; a line that is none makes it `null`. Commas divide numbers, too, where they are followed by a space. */
export function parseCorners(text: string): [number, number][] | null {
  const corners: [number, number][] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [x, y, ...rest] = line
      .trim()
      .split(/[;\s]+|,\s+/)
      .map((number) => parseDecimal(number.replace(/,$/, "")));
    if (!x || !y || rest.length > 0 || !("value" in x) || !("value" in y)) return null;
    corners.push([x.value, y.value]);
  }
  return corners;
}

/** The corners of a rectangle that was drawn as a box. */
export function cornersOf(box: ConstraintKind): [number, number][] {
  if (!("KeepOutBox" in box)) return [];
  const [[left, bottom], [right, top]] = [box.KeepOutBox.min, box.KeepOutBox.max].map(([x, y]) =>
    [x, y].map((value) => Number(value.toFixed(DECIMALS))),
  ) as [[number, number], [number, number]];
  return [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ];
}

/** The fault of a name; null if it has none. */
export function nameProblem(name: string, others: readonly PlanArea[]): string | null {
  const plain = name.trim();
  if (plain === "") return t("site_plan.name_missing");
  if (plain.length > NAME_CHARS_MAX) return t("site_plan.name_long");
  return others.some((area) => area.name === plain) ? t("site_plan.name_taken") : null;
}

/** The fault of corners as they are written. */
export function cornersProblem(text: string): string | null {
  const corners = parseCorners(text);
  if (corners === null) return t("site_plan.corners_unreadable");
  return corners.length < 3 ? t("site_plan.corners_few") : null;
}
