// A value of the world state as text, with its unit.

import { t } from "../../locales/i18n";
import { digitsFor, formatNumber, NO_NUMBER, unitSymbol } from "./numbers";

/** A number, a boolean or a text, as sensors and stores give them. */
export type Scalar = number | boolean | string;

/** A missing value as such; numbers with the digits of their unit, whole ones without decimals where they have none. */
export function scalarText(value: Scalar | null, unit: string | null): string {
  if (value === null) return NO_NUMBER;
  if (typeof value === "boolean") return value ? t("world.yes") : t("world.no");
  if (typeof value === "string") return value;
  const symbol = unitSymbol(unit ?? "");
  const text = formatNumber(value, Number.isInteger(value) && symbol === "" ? 0 : digitsFor(symbol));
  return symbol === "" || text === NO_NUMBER ? text : `${text} ${symbol}`;
}
