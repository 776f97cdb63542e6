// Money as text. Prices come in millionths of a US dollar; one that is not known is never shown as 0 (K-01).

import { formatLocale } from "../../host/language";
import { t } from "../../locales/i18n";

const MICRO = 1_000_000;
/** Smallest sum shown as a number, millionths of a US dollar; less is shown as "<$0.00001", not as nothing. */
const LEAST_SHOWN = 10;

/** "$1.24", "1,24 $"; small sums keep the digits that make them more than nothing. */
export function formatUsd(microusd: number | null): string {
  if (microusd === null) return t("money.unknown");
  if (microusd === 0) return dollars(0, 0);
  if (microusd < LEAST_SHOWN) return `<${dollars(LEAST_SHOWN, 5)}`;
  return dollars(microusd, microusd < MICRO / 100 ? 5 : 2);
}

function dollars(microusd: number, digits: number): string {
  return new Intl.NumberFormat(formatLocale(), {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(microusd / MICRO);
}
