// The reason for the state of a goal, in the window's language.

import type { MissionGoalReason } from "../../generated/bindings/MissionGoalReason";
import { errorSaid } from "../../locales/i18n";
import { hasStationWords, saidLine, stationText } from "../../locales/station-words";

/** The reason, or the station's own sentence where it is no data or the window has no words of its own; null without one. */
export function goalReason({ detail, reason }: { detail: string | null; reason?: MissionGoalReason }): string | null {
  if (detail === null || reason === undefined) return detail;
  return stationText("mission_goal_reason", reason.code, valuesOf(reason)) ?? detail;
}

function valuesOf(reason: MissionGoalReason): object {
  switch (reason.code) {
    case "motion": {
      const end = stationText("mission_motion_end", reason.end);
      return { end_text: end === null || reason.reason === null ? end : `${end}: ${reason.reason}` };
    }
    case "refused":
      return { refusal_text: refusalText(reason) };
    case "mode":
      return { mode_text: reason.mode };
    case "waited_in_vain":
    case "said_done":
    case "said_failed":
    case "agent_gone":
    case "no_operation":
    case "too_long":
    case "unattended":
    case "rejected":
    case "undecided":
    case "voided":
    case "dropped":
    case "not_carried_out":
    case "nothing_heard":
    case "turn":
    case "turn_cancelled":
      return reason;
  }
}

/** The refusal by its code, with its own sentence where that says more. */
function refusalText({ refusal, message }: Extract<MissionGoalReason, { code: "refused" }>): string {
  return refusal === null || !hasStationWords() ? message : saidLine(errorSaid(refusal, message));
}
