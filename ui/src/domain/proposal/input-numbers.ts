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
/** Fields whose numbers are one for each axis; those of any other list are counted. */
const VECTORS: ReadonlySet<string> = new Set(["position_m", "points_m", "linear_mps", "angular_radps", "orientation"]);
/** The list of a joint motion: its numbers are called like the joints, whose names stand beside it. */
const JOINTS = "positions_rad";

/** Fields of a command in words; any other is called as the station writes it. */
const WORDS: Readonly<Record<string, () => string>> = {
  position: () => t("edit.position"),
  points: () => t("edit.points"),
  linear: () => t("edit.linear"),
  angular: () => t("edit.angular"),
  orientation: () => t("edit.orientation"),
  opening: () => t("edit.opening"),
  speed: () => t("edit.speed"),
  force: () => t("edit.force"),
  duration: () => t("edit.duration"),
  ttl: () => t("edit.ttl"),
};

/** Every number of an input, in reading order. */
export function numbersIn(input: unknown): InputNumber[] {
  return leaves(input, "").flatMap(({ path, value }) =>
    typeof value === "number" ? [{ path, value, ...named(path, input) }] : [],
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

/** A field's name for people: "motion.pose_goal.position_m[0]" of `input` is "position x", in metres. */
export function named(path: string, input: unknown): { label: string; unit: string; step: number } {
  const field = path.slice(path.lastIndexOf(".") + 1);
  const [name = "", ...indices] = field.split(/[[\]]+/).filter((part) => part !== "");
  const [ending, unit, step] = UNITS.find(([ending]) => name.endsWith(ending)) ?? ["", "", 0.1];
  const last = indices.at(-1);
  const joint = name === JOINTS && last !== undefined ? jointAt(input, path, Number(last)) : null;
  if (joint !== null) return { label: joint, unit, step };
  const plain = name.slice(0, name.length - ending.length);
  const words = WORDS[plain]?.() ?? plain.replaceAll("_", " ");
  const counted = last === undefined ? "" : `${Number(last) + 1}`;
  const axis = (VECTORS.has(name) ? AXES[Number(last)] : undefined) ?? counted;
  const point = indices.length > 1 ? t("edit.point", { number: Number(indices[0]) + 1 }) : "";
  return { label: [words, point, axis].filter((part) => part !== "").join(" "), unit, step };
}

/** The name of a joint from the list beside its position; null where the input does not say it. */
function jointAt(input: unknown, path: string, place: number): string | null {
  const names = `${path.slice(0, path.lastIndexOf("."))}.names[${place}]`;
  const found = leaves(input, "").find((leaf) => leaf.path === names)?.value;
  return typeof found === "string" ? found : null;
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
