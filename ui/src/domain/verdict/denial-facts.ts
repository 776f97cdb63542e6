// Facts of a denial: its worst violation with a place, in numbers.

import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { Verdict } from "../../generated/bindings/Verdict";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { digitsFor, formatNumber, formatPosition, formatQuantity } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import { unitText } from "./verdict-words";

/** A named fact. */
export type DenialFact = { name: string; text: string };

/** Limits with the least room first; what was denied comes before what was not. */
export function byMargin(rows: readonly ItemRow[]): ItemRow[] {
  return rows.toSorted(
    (a, b) =>
      Number(a.item.verdict === "allow") - Number(b.item.verdict === "allow") || marginOf(a.item) - marginOf(b.item),
  );
}

/**
 * The violation that is explained: the deepest that has a place, else the deepest. Where the same motion would pass
 * more slowly, no other goal is offered.
 */
export function worstOf(verdict: Verdict, rows: readonly ItemRow[]): VerdictItem | null {
  const slower = verdict.speed_allowed_mps !== null;
  const violated = byMargin(rows)
    .map(({ item }) => (slower ? { ...item, nearest_allowed_m: null } : item))
    .filter((item) => item.verdict !== "allow");
  return (
    violated.find(({ nearest_allowed_m }) => nearest_allowed_m !== null) ??
    violated.find(({ point_m }) => point_m !== null) ??
    violated[0] ??
    null
  );
}

/** By how much a limit is violated, with its unit; null where that is no number. */
export function depthText({ margin, unit }: VerdictItem): string | null {
  if (margin === null || !Number.isFinite(margin)) return null;
  const symbol = unitText(unit);
  return formatQuantity(Math.abs(margin), digitsFor(symbol), symbol);
}

/** Violation point, depth, place on the way, nearest allowed point and speed allowed, as far as they are known. */
export function denialFacts(verdict: Verdict, worst: VerdictItem): DenialFact[] {
  const facts = [
    [t("denial.point"), worst.point_m && formatPosition(worst.point_m)],
    [t("denial.depth"), depthText(worst)],
    [
      t("denial.on_the_way"),
      worst.at_path_m !== null &&
        worst.at_path_m > 0 &&
        t("denial.after", { metres: formatNumber(worst.at_path_m, 2) }),
    ],
    [t("denial.nearest"), worst.nearest_allowed_m && formatPosition(worst.nearest_allowed_m, 3)],
    [
      t("denial.speed_allowed"),
      verdict.speed_allowed_mps !== null && formatQuantity(verdict.speed_allowed_mps, 3, "m/s"),
    ],
  ] as const;
  return facts.flatMap(([name, text]) => (typeof text === "string" ? [{ name, text }] : []));
}

/** True if control held by somebody else, or by nobody, is a reason. */
export function isArbitration(rows: readonly ItemRow[]): boolean {
  return rows.some(({ item }) => item.verdict !== "allow" && item.reason.code === "arbitration");
}

/** Ids of the limits that a motion would violate. */
export function violatedBy(rows: readonly ItemRow[]): string[] {
  return rows.flatMap(({ item }) => (item.verdict !== "allow" && item.constraint !== null ? [item.constraint] : []));
}

/** The page of a limit among those of its robot. */
export function limitHref(robot: string, constraint: string | null): string {
  return constraint === null ? `/safety/${robot}` : `/safety/${robot}/${encodeURIComponent(constraint)}`;
}

function marginOf({ margin }: VerdictItem): number {
  // What has no number goes last: it cannot be told to be the worst.
  return margin !== null && Number.isFinite(margin) ? margin : Number.POSITIVE_INFINITY;
}
