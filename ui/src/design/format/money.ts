// Money as text. Prices come in millionths of a US dollar; one that is not known is never shown as 0 (K-01).

import { formatNumber } from "./numbers";
import { t } from "../../locales/i18n";

const MICRO = 1_000_000;
/** Smallest sum shown as a number, millionths of a US dollar; less is shown as "<$0.00001", not as nothing. */
const LEAST_SHOWN = 10;

/** "$1.24"; small sums keep the digits that make them more than nothing. */
export function formatUsd(microusd: number | null): string {
  if (microusd === null) return t("money.unknown");
  if (microusd === 0) return "$0";
  if (microusd < LEAST_SHOWN) return "<$0.00001";
  return `$${formatNumber(microusd / MICRO, microusd < MICRO / 100 ? 5 : 2)}`;
}
