// A step of a dry run in words and figures.

import type { ItemRow } from "../../../generated/bindings/ItemRow";
import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionDryRun } from "../../../generated/bindings/MissionDryRun";
import type { MissionDryStep } from "../../../generated/bindings/MissionDryStep";
import type { VerdictItem } from "../../../generated/bindings/VerdictItem";
import type { Mark } from "../../../design/theme/icons/VerdictMark";
import { digitsFor, formatSigned } from "../../../design/format/numbers";
import { formatAge } from "../../../design/format/time";
import { newestRun, staleWord } from "../../../domain/mission/dry-record";
import { limitFigures } from "../../../domain/verdict/limit-figures";
import { markOf, unitText } from "../../../domain/verdict/verdict-words";
import { t } from "../../../locales/i18n";

/** Everything that a dry run of this window is stale by, in sentences. */
export function staleWords(mission: MissionDetail, dry: MissionDryRun): readonly string[] {
  const newest = newestRun(mission, dry);
  if (newest === null || newest.id === dry.id) return (newest?.stale ?? []).map(staleWord);
  return [dry.hash === mission.hash ? t("dry_run.superseded") : t("dry_run.stale_text")];
}

/** The limit that leaves a motion the least room, as a share of it; null where none has a number. */
export type LeastRoom = { name: string; used: number; room: string };

/** Of the limits with a share, the one of which most is used. */
export function leastRoom(explanation: readonly ItemRow[]): LeastRoom | null {
  const rooms = explanation.flatMap(({ item }) => {
    const { name, used } = limitFigures(item);
    return used === null
      ? []
      : [{ name, used: item.verdict === "allow" ? used : Math.max(used, OVER), room: roomOf(item) }];
  });
  return rooms.toSorted((a, b) => b.used - a.used)[0] ?? null;
}

/** A violated limit is drawn beyond its end, whatever its numbers round to. */
const OVER = 1.01;

function roomOf(item: VerdictItem): string {
  const unit = unitText(item.unit);
  return `${formatSigned(item.margin ?? 0, digitsFor(unit))} ${unit}`.trim();
}

/** The decision about a step, by its mark. What is not judged passes. */
export function decisionOf({ is_denied, motion }: MissionDryStep): Mark {
  if (motion !== null && motion.verdict.overall !== "allow") return markOf(motion.verdict.overall);
  return is_denied ? "deny" : "allow";
}

/** The decision as a word. */
export function decisionWord(step: MissionDryStep): string {
  if (step.motion === null) return t(step.is_denied ? "dry_run.refused" : "dry_run.pass");
  return t(decisionOf(step) === "allow" ? "dry_run.allow" : "dry_run.deny");
}

/** The approval of a step in a few words; empty if it calls nothing, or is denied before anybody is asked. */
export function approvalWord({ approval, motion }: MissionDryStep): string {
  if (approval === null || (motion !== null && motion.verdict.overall !== "allow")) return "";
  switch (approval.kind) {
    case "asked":
      return approval.tier === null
        ? t("dry_run.asks")
        : t("dry_run.asks_tier", { tier: t(`tier.${approval.tier}`).toLowerCase() });
    case "standing":
      return t("dry_run.standing");
    case "activation":
      return t("dry_run.activation");
    case "free":
      return t("dry_run.free");
    case "refused":
      return t("dry_run.refused");
  }
}

/** When a step begins. */
export function beginWords({ begins_s, is_exact, is_reached }: MissionDryStep): string {
  if (!is_reached) return t("dry_run.unreached");
  const time = formatAge(begins_s * 1_000);
  if (begins_s === 0 && is_exact) return t("dry_run.begins_now");
  return t(is_exact ? "dry_run.begins" : "dry_run.begins_least", { time });
}

/** The missions that could want the same part, in one sentence; none if there are none. */
export function conflictWords({ conflicts }: MissionDryRun): readonly string[] {
  const missions = [...new Set(conflicts.map(({ mission_id }) => mission_id))];
  if (missions.length === 0) return [];
  return [t("dry_run.conflicts_with", { missions: missions.join(", "), count: missions.length })];
}

/** A verdict as a sentence: a limit of the file has a name of digits, which tells nobody anything. */
export function verdictWords(sentence: string): string {
  return sentence.replace(/\bfile-[0-9a-f]{16}-[0-9a-f]{32}\b/g, t("dry_run.of_file"));
}

/** The sums of a dry run in one line. */
export function sumWords({ asked, takes_s, is_exact }: MissionDryRun): string {
  const takes = t(is_exact ? "dry_run.takes" : "dry_run.takes_least", { time: formatAge(takes_s * 1_000) });
  const asks = asked === 0 ? t("dry_run.asked_zero") : t("dry_run.asked", { count: asked });
  return `${takes}, ${asks}.`;
}
