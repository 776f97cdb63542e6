// Verdicts in words.

import type { LimitKind } from "../../generated/bindings/LimitKind";
import type { Overall } from "../../generated/bindings/Overall";
import type { Unit } from "../../generated/bindings/Unit";
import type { Verdict } from "../../generated/bindings/Verdict";
import type { Mark } from "../../design/theme/icons/VerdictMark";
import { t } from "../../locales/i18n";

/** The mark of a verdict; one that could not be reached counts as a denial and is marked as an error. */
export function markOf(overall: Overall): Mark {
  return typeof overall === "string" ? overall : "error";
}

/** The word beside the mark. */
export function wordOf(overall: Overall): string {
  return t(`verdict.${markOf(overall)}`);
}

/** Description of the checked part of the motion. */
export function checkedInWords(verdict: Verdict): string {
  return t(`path_checked.${verdict.path_checked}`);
}

/** The name of a limit: its kind in words. */
export function limitName(kind: LimitKind): string {
  return t(`limit.${kind}`);
}

/** A unit as it is written behind a number; empty for a number without one. */
export function unitText(unit: Unit): string {
  switch (unit) {
    case "none":
      return "";
    case "m":
      return "m";
    case "mps":
      return "m/s";
    case "rad":
      return "rad";
    case "radps":
      return "rad/s";
    case "n":
      return "N";
    case "mps2":
      return "m/s²";
    case "hz":
      return "Hz";
  }
}
