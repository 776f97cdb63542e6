// Places and remedies of forgetting, in the window's words.

import type { HeldRow } from "../../generated/bindings/HeldRow";
import type { StaysRow } from "../../generated/bindings/StaysRow";
import { codeText, t } from "../../locales/i18n";
import { codedText } from "../../locales/station-words";

/** A kind of place that holds the words, with the number of them. */
export function heldText({ held_in, count }: HeldRow): string {
  return t("memory.counted", { place: t(`held_in.${held_in}`), count });
}

/** A kind of place that words were taken out of. A station that is newer than this window may name another. */
export function clearedText(place: string, count: number): string {
  return t("memory.counted", { place: codeText("cleared", place), count });
}

/** The way to be rid of words that stayed. */
export function remedyText({ remedy, how }: Pick<StaysRow, "remedy" | "how">): string {
  return codedText("forget_remedy", remedy, how);
}
