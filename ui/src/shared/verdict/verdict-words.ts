// Verdicts in words.

import type { Item } from "../../bindings/Item";
import type { Overall } from "../../bindings/Overall";
import type { Verdict } from "../../bindings/Verdict";
import type { Mark } from "../../theme/icons/VerdictMark";
import { t } from "../i18n";

/** The mark of a verdict; one that could not be reached counts as a denial and is marked as an error. */
export function markOf(overall: Overall): Mark {
  return typeof overall === "string" ? overall : "error";
}

/** The word beside the mark. */
export function wordOf(overall: Overall): string {
  return t(`verdict.${markOf(overall)}`);
}

/** What part of the motion was checked. */
export function checkedInWords(verdict: Verdict): string {
  return t(`path_checked.${verdict.path_checked}`);
}

/** The name of a limit: its kind in words. A kind this version does not know keeps the station's word. */
export function limitName(item: Item): string {
  switch (item.kind) {
    case "workspace":
      return t("limit.workspace");
    case "max_velocity":
      return t("limit.max_velocity");
    case "forbidden_zone":
      return t("limit.forbidden_zone");
    case "max_force":
      return t("limit.max_force");
    default:
      return item.kind.replaceAll("_", " ");
  }
}
