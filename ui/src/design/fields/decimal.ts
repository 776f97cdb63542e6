// Numbers as people type and read them: nothing is rounded, because a limit is exactly what was written.

import { perLocale } from "../../host/language";
import { NO_NUMBER } from "../format/numbers";

/** Steps are coarser than this; what was typed finer is rounded by a step only. */
const STEP_DIGITS = 6;

/** Decimal mark of a locale. */
export type Marks = { decimal: string };

/** Reasons that a text is not a number. */
export type DecimalProblem = "empty" | "not_a_number" | "ambiguous";

/** The number a text stands for, or why it stands for none. */
export type Decimal = { value: number } | { problem: DecimalProblem };

const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** A mark that is not the decimal one in every language: "1,500" may be meant as either number. */
const MAYBE_GROUPED = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;

/** The marks of a locale; of the computer's own where none is named. */
export function marksOf(locale?: string): Marks {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return { decimal: parts.find(({ type }) => type === "decimal")?.value ?? "." };
}

/** The marks of this window. */
export const windowMarks = perLocale(marksOf);

/** Reads `1.5` and `1,5` alike; a text that could be two numbers is refused, never guessed. */
export function parseDecimal(text: string, marks: Marks = windowMarks()): Decimal {
  const plain = text.trim().replace("−", "-");
  if (plain === "") return { problem: "empty" };
  if (!NUMBER.test(plain)) return { problem: "not_a_number" };
  const mark = MAYBE_GROUPED.exec(plain)?.[1];
  if (mark !== undefined && mark !== marks.decimal) return { problem: "ambiguous" };
  const value = Number(plain.replace(",", "."));
  return Number.isFinite(value) ? { value } : { problem: "not_a_number" };
}

/** The number a text stands for, or the text itself, so that the station says what is wrong with it. */
export function numberOrText(text: string): number | string {
  const decimal = parseDecimal(text);
  return "value" in decimal ? decimal.value : text;
}

/** The text of a field that holds this number; it reads back as the same number. */
export function fieldText(value: number, marks: Marks = windowMarks()): string {
  const text = String(value);
  return marks.decimal === "," ? text.replace(".", ",") : text;
}

/** A number for reading, with every digit it has. */
export function exactText(value: number, marks: Marks = windowMarks()): string {
  return Number.isFinite(value) ? fieldText(value, marks).replace("-", "−") : NO_NUMBER;
}

/** A number one step further, without the dust of binary fractions. */
export function stepped(value: number, step: number): number {
  return Number((value + step).toFixed(STEP_DIGITS));
}
