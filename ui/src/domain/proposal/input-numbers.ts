// The numbers of a proposed input, one by one: what a person may change of it.

import { t } from "../../locales/i18n";

/** A number and where it stands; `path` is the station's way of writing that. */
export type InputNumber = { path: string; label: string; unit: string; step: number; value: number };

/** Unit endings of field names, longest first, with what one key press may change. */
const UNITS: readonly (readonly [string, string, number])[] = [
  ["_radps", "rad/s", 0.05],
  ["_mps", "m/s", 0.05],
  ["_rad", "rad", 0.05],
  ["_ms", "ms", 100],
  ["_m", "m", 0.05],
  ["_n", "N", 1],
  ["_s", "s", 0.5],
];

const AXES: readonly string[] = ["x", "y", "z", "w"];

/** Every number of an input, in reading order. */
export function numbersIn(input: unknown): InputNumber[] {
  return leaves(input, "").flatMap(({ path, value }) =>
    typeof value === "number" ? [{ path, value, ...named(path) }] : [],
  );
}

/** The input with other numbers at some paths; everything else stays as it is. */
export function withNumbers(input: unknown, numbers: ReadonlyMap<string, number>, path = ""): unknown {
  if (typeof input === "number") return numbers.get(path) ?? input;
  if (Array.isArray(input)) return input.map((part: unknown, index) => withNumbers(part, numbers, `${path}[${index}]`));
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, part]) => [key, withNumbers(part, numbers, join(path, key))]),
  );
}

/** A field's name for people: "motion.pose_goal.position_m[0]" is "position x", in metres. */
export function named(path: string): { label: string; unit: string; step: number } {
  const field = path.slice(path.lastIndexOf(".") + 1);
  const [name = "", ...indices] = field.split(/[[\]]+/).filter((part) => part !== "");
  const [ending, unit, step] = UNITS.find(([ending]) => name.endsWith(ending)) ?? ["", "", 0.1];
  const words = name.slice(0, name.length - ending.length).replaceAll("_", " ");
  const axis = AXES[Number(indices.at(-1))] ?? indices.at(-1) ?? "";
  const point = indices.length > 1 ? t("edit.point", { number: Number(indices[0]) + 1 }) : "";
  return { label: [words, point, axis].filter((part) => part !== "").join(" "), unit, step };
}

type Leaf = { path: string; value: unknown };

function leaves(input: unknown, path: string): Leaf[] {
  if (Array.isArray(input)) return input.flatMap((part: unknown, index) => leaves(part, `${path}[${index}]`));
  if (typeof input !== "object" || input === null) return [{ path, value: input }];
  return Object.entries(input).flatMap(([key, part]) => leaves(part, join(path, key)));
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
