// A dry run of a mission as the station keeps it, and whether it still says anything about now.

import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionDryHindrance } from "../../generated/bindings/MissionDryHindrance";
import type { MissionDryRecord } from "../../generated/bindings/MissionDryRecord";
import type { MissionDryRun } from "../../generated/bindings/MissionDryRun";
import type { MissionDryStale } from "../../generated/bindings/MissionDryStale";
import type { RobotHindrance } from "../../generated/bindings/RobotHindrance";
import { codeText, t } from "../../locales/i18n";
import { codedText, stationText } from "../../locales/station-words";

/** A dry run with everything that it is stale by. */
export type DryRecord = Omit<MissionDryRecord, "stale"> & { stale: readonly MissionDryStale[] };

/**
 * The newest dry run of a mission: the one that the station tells of with the mission, or one that this window has made
 * since.
 */
export function newestRun({ hash, dry_run }: MissionDetail, dry: MissionDryRun | null): DryRecord | null {
  const told = dry_run === undefined ? null : { stale: [], ...dry_run };
  // The station knows everything that its record is stale by, this window only the text.
  if (dry === null || (told !== null && told.at_ms >= dry.at_ms)) return told;
  return { ...dry, stale: dry.hash === hash ? [] : [{ cause: "text", robot: null }] };
}

/** The outcome of a dry run as a sentence. */
export function outcomeText({ outcome, sentence }: Pick<MissionDryRecord, "outcome" | "sentence">): string {
  return codedText("dry_outcome", outcome, sentence);
}

/** A hindrance of a robot before the start. */
export function hindranceText({ robot, sentence, why }: MissionDryHindrance): string {
  const blocker_text = why.code === "blocked" ? blockerText(why) : null;
  const text = stationText("robot_hindrance", why.code, { robot, blocker_text });
  return text === null ? sentence : `${text}.`;
}

function blockerText({ blocker, cause }: Extract<RobotHindrance, { code: "blocked" }>): string | null {
  return cause === null ? stationText("blocker", blocker) : codeText("cause", cause);
}

/** A change by which a dry run says nothing about now. */
export function staleWord({ cause, robot }: MissionDryStale): string {
  switch (cause) {
    case "text":
      return t("dry_run.stale_text");
    case "limits":
      return robot === null ? t("dry_run.stale_any") : t("dry_run.stale_limits", { robot });
    case "manifest":
      return robot === null ? t("dry_run.stale_any") : t("dry_run.stale_manifest", { robot });
  }
}
