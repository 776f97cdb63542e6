import { formatQuantity } from "../../../design/format/numbers";
import { t } from "../../../locales/i18n";

/** A measured figure beside the most that is allowed; null if nothing was measured. */
export function figure(measured: number | null, most: number | null, digits: number, unit: string): string | null {
  if (measured === null) return null;
  const shown = formatQuantity(measured, digits, unit);
  return most === null ? shown : t("commissioning.at_most", { shown, most: formatQuantity(most, digits, unit) });
}

/** The figures that were measured, in a row behind the words. */
export function inRow(words: string, figures: readonly (string | null)[]): string {
  return [words, ...figures.filter((shown) => shown !== null)].join(" · ");
}
