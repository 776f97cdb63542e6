// A limit while it is written: texts of fields, parsed once, here.

import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import { type DecimalProblem, fieldText, type Marks, parseDecimal, windowMarks } from "../../design/fields/decimal";
import { actuatorOf, fieldsOf, kindOf, type KindName, limitOf, numbersOf } from "./limit-kinds";

/** Texts of the fields, by path, and the actuator of a kind that names one. */
export type Draft = { kind: KindName; actuator: string; texts: ReadonlyMap<string, string> };

/** Faults that keep a field from being sent. Everything else is the station's to refuse. */
export type Problem = DecimalProblem | "below_min" | "not_positive";

/** A draft as a limit, or what is wrong with which field. */
export type DraftReading =
  | { limit: ConstraintKind; problems: null }
  | { limit: null; problems: ReadonlyMap<string, Problem> };

/** A form with nothing in it. */
export function emptyDraft(kind: KindName): Draft {
  return { kind, actuator: "", texts: new Map() };
}

/** A form that holds a limit in force. */
export function draftOf(limit: ConstraintKind, marks: Marks = windowMarks()): Draft {
  const texts = new Map([...numbersOf(limit)].map(([path, value]) => [path, fieldText(value, marks)]));
  return { kind: kindOf(limit), actuator: actuatorOf(limit), texts };
}

/** The draft about another joint. */
export function withActuator(draft: Draft, actuator: string): Draft {
  return { ...draft, actuator };
}

/** The draft with another text in one field. */
export function withText(draft: Draft, path: string, text: string): Draft {
  return { ...draft, texts: new Map(draft.texts).set(path, text) };
}

/** Parses every field, then tests what the fields must be to one another. */
export function readDraft({ kind, actuator, texts }: Draft, marks: Marks = windowMarks()): DraftReading {
  const numbers = new Map<string, number>();
  const problems = new Map<string, Problem>();
  for (const { path, optional } of fieldsOf(kind)) {
    if (optional && (texts.get(path) ?? "").trim() === "") continue;
    const decimal = parseDecimal(texts.get(path) ?? "", marks);
    if ("problem" in decimal) problems.set(path, decimal.problem);
    else numbers.set(path, decimal.value);
  }
  for (const { path } of fieldsOf(kind)) {
    const problem = relation(path, numbers);
    if (problem) problems.set(path, problem);
  }
  return problems.size > 0 ? { limit: null, problems } : { limit: limitOf(kind, numbers, actuator), problems: null };
}

/** Path of an upper limit of a joint, which has to be above 0. */
const JOINT_SIZE = /\.(?:velocity|acceleration|effort)_[a-z0-9]+$/;

function relation(path: string, numbers: ReadonlyMap<string, number>): Problem | null {
  const value = numbers.get(path);
  if (value === undefined) return null;
  if (path.endsWith(".radius") || JOINT_SIZE.test(path)) return value > 0 ? null : "not_positive";
  const lower = lowerOf(path);
  const min = lower === null ? undefined : numbers.get(lower);
  return min === undefined || min < value ? null : "below_min";
}

/** The field that has to be below this one: the other end of an axis, or the lower corner of a box. */
function lowerOf(path: string): string | null {
  if (path.includes(".max[")) return path.replace(".max[", ".min[");
  return /\.(?:[xyz]|position_rad|position_m)\[1\]$/.test(path) ? path.replace("[1]", "[0]") : null;
}

/** The field a path of the station's refusal is about: itself, or the last of those it covers. */
export function fieldAt(kind: KindName, path: string): string | null {
  const fields = fieldsOf(kind).map((field) => field.path);
  if (fields.includes(path)) return path;
  // A whole limit is nobody's single field.
  if (path === "params_json") return null;
  return fields.findLast((field) => field.startsWith(path)) ?? null;
}
