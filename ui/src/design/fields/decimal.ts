// Numbers as people type and read them: nothing is rounded, because a limit is exactly what was written.

import { NO_NUMBER } from "../format/numbers";

/** Steps are coarser than this; what was typed finer is rounded by a step only. */
const STEP_DIGITS = 6;

/** Decimal mark and group separator of a locale. */
export type Marks = { decimal: string; group: string };

/** Reasons that a text is not a number. */
export type DecimalProblem = "empty" | "not_a_number" | "ambiguous";

/** The number a text stands for, or why it stands for none. */
export type Decimal = { value: number } | { problem: DecimalProblem };

const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** In a locale whose group mark this is, "1,500" may be meant as either number. */
const MAYBE_GROUPED = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;

/** The marks of the window's locale, or of one named. */
export function marksOf(locale?: string): Marks {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const mark = (type: "decimal" | "group") => parts.find((part) => part.type === type)?.value ?? "";
  return { decimal: mark("decimal"), group: mark("group") };
}

/** The marks of this window; its locale does not change while it is open. */
export const WINDOW_MARKS = marksOf();

/** Reads `1.5` and `1,5` alike; a text that could be two numbers is refused, never guessed. */
export function parseDecimal(text: string, marks: Marks = WINDOW_MARKS): Decimal {
  const plain = text.trim().replace("−", "-");
  if (plain === "") return { problem: "empty" };
  if (!NUMBER.test(plain)) return { problem: "not_a_number" };
  if (MAYBE_GROUPED.exec(plain)?.[1] === marks.group) return { problem: "ambiguous" };
  const value = Number(plain.replace(",", "."));
  return Number.isFinite(value) ? { value } : { problem: "not_a_number" };
}

/** The text of a field that holds this number; it reads back as the same number. */
export function fieldText(value: number, marks: Marks = WINDOW_MARKS): string {
  const text = String(value);
  return marks.decimal === "," ? text.replace(".", ",") : text;
}

/** A number for reading, with every digit it has. */
export function exactText(value: number, marks: Marks = WINDOW_MARKS): string {
  return Number.isFinite(value) ? fieldText(value, marks).replace("-", "−") : NO_NUMBER;
}

/** A number one step further, without the dust of binary fractions. */
export function stepped(value: number, step: number): number {
  return Number((value + step).toFixed(STEP_DIGITS));
}
