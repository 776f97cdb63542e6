// Changes on a card while somebody was looking at it.

import { proposalSentence } from "./proposal-sentence";
import type { Proposal } from "../../generated/bindings/Proposal";
import { digitsFor, formatPosition, formatQuantity } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import { limitName, unitText, wordOf } from "../verdict/verdict-words";

/** One thing, as it was and as it is. */
export type CardChange = { name: string; before: string; after: string };

/** Every shown number and word that differs; ages are left out, they always do. */
export function changesBetween(before: Proposal, after: Proposal): CardChange[] {
  const was = shownOf(before);
  const is = shownOf(after);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name) => {
    const change = { name, before: was.get(name) ?? t("changes.absent"), after: is.get(name) ?? t("changes.absent") };
    return change.before === change.after ? [] : [change];
  });
}

function shownOf(proposal: Proposal): Map<string, string> {
  const { tier, preview, explanation, facts } = proposal;
  const rows: [string, string][] = [
    [t("changes.tier"), t(`tier.${tier}`)],
    [t("changes.sentence"), proposalSentence(proposal)],
  ];
  if (preview) {
    rows.push([t("preview.from"), formatPosition(preview.from)], [t("preview.to"), formatPosition(preview.to)]);
    rows.push(
      [t("preview.frame"), preview.frame],
      [t(`preview.duration_${preview.kind}`), formatQuantity(preview.duration_s, 1, "s")],
      [t("preview.length"), formatQuantity(preview.length_m, 2, "m")],
      [t("preview.clearance"), formatQuantity(preview.clearance_m, 2, "m")],
    );
  }
  for (const { item } of explanation) {
    const unit = unitText(item.unit);
    rows.push([
      [limitName(item.kind), item.reason.args.joint, item.constraint].filter((part) => part).join(" "),
      `${wordOf(item.verdict)}, ${formatQuantity(item.margin, digitsFor(unit), unit)}`,
    ]);
  }
  for (const { key, value } of facts) rows.push([key, value]);
  const shown = new Map<string, string>();
  // Two rows of one name are one entry: the second must not hide that the first has changed.
  for (const [name, text] of rows) shown.set(name, [shown.get(name), text].filter((part) => part).join("; "));
  return shown;
}
