// Old and new of a limit, number by number.

import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import { fieldsOf, kindOf, numbersOf } from "./limit-kinds";

/** One number before and after; null where the limit does not set it, or would be removed. */
export type DiffRow = {
  path: string;
  label: string;
  unit: string;
  old_value: number | null;
  new_value: number | null;
  changed: boolean;
};

/** Every number of the limit in force beside what it would become; null removes it. */
export function diffLimits(old_limit: ConstraintKind, new_limit: ConstraintKind | null): DiffRow[] {
  const old_numbers = numbersOf(old_limit);
  const new_numbers = new_limit && kindOf(new_limit) === kindOf(old_limit) ? numbersOf(new_limit) : null;
  return fieldsOf(kindOf(old_limit)).map(({ path, label, unit }) => {
    const old_value = old_numbers.get(path) ?? null;
    const new_value = new_numbers?.get(path) ?? null;
    return { path, label, unit, old_value, new_value, changed: old_value !== new_value };
  });
}
