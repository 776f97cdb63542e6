// Numbers as text. Units and digits are fixed by what is measured, never by what fits.

import { formatLocale, perLocale } from "../../host/language";

/** Shown where there is no number. */
export const NO_NUMBER = "–";

const formatsByDigits = perLocale(() => new Map<number, Intl.NumberFormat>());

function formatOf(digits: number): Intl.NumberFormat {
  const formats = formatsByDigits();
  const known = formats.get(digits);
  if (known) return known;
  const made = new Intl.NumberFormat(formatLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(digits, made);
  return made;
}

/** A number with a fixed count of decimals; what is not finite reads as missing. */
export function formatNumber(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NO_NUMBER;
  const text = formatOf(digits).format(value).replace("-", "−");
  // A sign in front of nothing but zeros tells of something that is not shown.
  return Number(value.toFixed(digits)) === 0 ? text.replace("−", "") : text;
}

/** A number with its unit. */
export function formatQuantity(value: number | null | undefined, digits: number, unit: string): string {
  const text = formatNumber(value, digits);
  return text === NO_NUMBER || unit === "" ? text : `${text} ${unit}`;
}

/**
 * A signed number: a margin of +0.11 and one of −0.11 must not look alike, and neither must +0.00 and −0.00, of which one
 * breaks the limit.
 */
export function formatSigned(value: number | null | undefined, digits: number): string {
  const text = formatNumber(value, digits);
  if (value === null || value === undefined || value === 0 || text === NO_NUMBER) return text;
  return value > 0 ? `+${text}` : `−${text.replace("−", "")}`;
}

/** Numbers in a row: "0.42, −0.10, 0.86", or "0,42; −0,10; 0,86" where the comma is the decimal mark. */
export function formatNumbers(values: readonly number[], digits: number): string {
  return values.map((value) => formatNumber(value, digits)).join(listMark());
}

const listMark = perLocale((locale) => (new Intl.NumberFormat(locale).format(0.5).includes(",") ? "; " : ", "));

/** A position in metres: "(0.42, −0.10, 0.86) m". */
export function formatPosition(position_m: readonly number[], digits = 2): string {
  return `(${formatNumbers(position_m, digits)}) m`;
}

/** A unit as it is written for people; the wire keeps to plain letters. */
export function unitSymbol(unit: string): string {
  switch (unit) {
    case "degC":
      return "°C";
    case "mps":
      return "m/s";
    case "mps2":
      return "m/s²";
    case "radps":
      return "rad/s";
    case "hz":
      return "Hz";
    case "percent":
      return "%";
    default:
      return unit;
  }
}

/** Decimals for a quantity of this unit. */
export function digitsFor(unit: string): number {
  switch (unit) {
    case "m":
    case "m/s":
    case "rad":
      return 2;
    case "N":
    case "°C":
      return 1;
    case "%":
    case "ms":
      return 0;
    default:
      return 2;
  }
}
