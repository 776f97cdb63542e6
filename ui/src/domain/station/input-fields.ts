// The input of an operation as fields for people: names in words, numbers with their units.

import { codeText, t } from "../../locales/i18n";
import { formatNumber, NO_NUMBER, unitSymbol } from "../../design/format/numbers";
import { formatAge } from "../../design/format/time";

/** A field with its value; `code` is its name on the wire. */
export type InputField = { code: string; name: string; text: string };

/** Endings of names that carry a unit, the longest first. */
const UNITS: readonly (readonly [ending: string, unit: string])[] = [
  ["_mps2", "m/s²"],
  ["_radps", "rad/s"],
  ["_mps", "m/s"],
  ["_rad", "rad"],
  ["_usd", "USD"],
  ["_m", "m"],
  ["_n", "N"],
];
/** Endings of durations, with the milliseconds of one. */
const DURATIONS: readonly (readonly [ending: string, ms: number])[] = [
  ["_ms", 1],
  ["_secs", 1_000],
  ["_s", 1_000],
  ["_min", 60_000],
  ["_minutes", 60_000],
];
const DIGITS_MAX = 6;

/** Every field of an input, those of fields within it too, in the order in which they were given. */
export function inputFields(input: unknown, path = ""): readonly InputField[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    const code = path === "" ? name : `${path}.${name}`;
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup ? inputFields(value, code) : [fieldOf(code, name, value)];
  });
}

function fieldOf(code: string, name: string, value: unknown): InputField {
  const [ending, unit] = UNITS.find(([end]) => name.endsWith(end)) ?? ["", ""];
  const [lasting, ms] = DURATIONS.find(([end]) => name.endsWith(end)) ?? ["", 0];
  // The unit stands behind the value; in the name it would be said twice.
  const cut = lasting === "" ? ending : lasting;
  const label = codeText("audit_field", name.slice(0, name.length - cut.length));
  if (lasting !== "" && typeof value === "number") return { code, name: label, text: formatAge(value * ms) };
  return { code, name: label, text: valueText(value, unit) };
}

function valueText(value: unknown, unit: string): string {
  if (typeof value === "number") return withUnit(numberText(value), unit);
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return t(value ? "world.yes" : "world.no");
  if (value === null) return NO_NUMBER;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number"))
    // Semicolons, because a comma is the decimal mark in German.
    return withUnit(`(${value.map(numberText).join("; ")})`, unit);
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return JSON.stringify(value);
}

function withUnit(text: string, unit: string): string {
  return unit === "" ? text : `${text} ${unitSymbol(unit)}`;
}

function numberText(value: number): string {
  return formatNumber(value, Math.min(DIGITS_MAX, `${value}`.split(".")[1]?.length ?? 0));
}
