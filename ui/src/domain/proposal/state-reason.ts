// The reason for the state of a proposal in the window's language.

import type { OffGoal } from "../../generated/bindings/OffGoal";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { ProposalReason } from "../../generated/bindings/ProposalReason";
import { formatQuantity } from "../../design/format/numbers";
import { errorSaid, t, tierRuleText } from "../../locales/i18n";
import { type Said, hasStationWords, stationText } from "../../locales/station-words";
import { stopReasonText } from "../stop/stop-reasons";

/** Decimals of a distance from a goal. */
const DIGITS = 3;
/** The beginning of the code of a command that the fence refused, before the code of the reason. */
const AT_SEND = "refused_at_send_";

/** The sentence, with the station's own where that says more; null for a state that needs no reason. */
export function stateReasonSaid({
  state_reason,
  state_reason_kind,
}: Pick<Proposal, "state_reason" | "state_reason_kind">): Said | null {
  if (state_reason === null) return null;
  const own = { text: state_reason, more: null };
  // The choices of the card have words in every language.
  if (!state_reason_kind || !(hasStationWords() || state_reason_kind.code === "rejected")) return own;
  const text = textOf(state_reason_kind);
  switch (state_reason_kind.code) {
    case "refused":
      return errorSaid(state_reason_kind.error, state_reason_kind.sentence, state_reason_kind.details);
    case "denied":
      return text === null ? own : { text, more: state_reason_kind.sentence };
    case "rejected":
    case "unattended":
    case "not_decided":
    case "ended_undecided":
    case "ended_unsent":
    case "ended_unreported":
    case "precondition":
    case "more_care":
    case "stopped":
    case "robot_failed":
    case "control_taken":
    case "robot_removed":
    case "mission_halted":
    case "job_cancelled":
    case "replaced":
    case "command":
    case "off_goal":
    default:
      return text === null ? own : { text, more: null };
  }
}

/** The sentence of the code; null where the language has none. */
function textOf(reason: ProposalReason): string | null {
  switch (reason.code) {
    case "rejected":
      return [t(`reject.${reason.reason}`), ...(reason.note === "" ? [] : [reason.note])].join(": ");
    case "precondition":
      return stationText("broken", reason.precondition);
    case "more_care":
      return stationText("proposal_reason", "more_care", { rule: tierRuleText(reason.rule) });
    case "robot_failed":
      return triggerText(reason.robot, reason.trigger);
    case "command":
      return endText(reason.end);
    case "off_goal":
      return offGoalText(reason.off_goal);
    case "unattended":
    case "not_decided":
    case "ended_undecided":
    case "ended_unsent":
    case "ended_unreported":
    case "stopped":
    case "control_taken":
    case "robot_removed":
    case "mission_halted":
    case "job_cancelled":
    case "replaced":
    case "denied":
    case "refused":
    default:
      return stationText("proposal_reason", reason.code, reason);
  }
}

function triggerText(robot: string, trigger: Extract<ProposalReason, { code: "robot_failed" }>["trigger"]) {
  const text = stopReasonText("", trigger);
  return text === "" ? null : `${robot}: ${text}`;
}

/** The end of a command by its code: one of its own, or that of the rule that the station or the robot refused it by. */
function endText(end: string): string {
  const code = end.startsWith(AT_SEND) ? end.slice(AT_SEND.length) : end;
  return (
    stationText("command_end", code) ??
    stationText("reason", code) ??
    stationText("proposal_reason", "command", { end }) ??
    end
  );
}

function offGoalText({ why, distance, tolerance, unit }: OffGoal): string | null {
  const unitText = unit === "rad" ? "rad" : "m";
  return stationText("off_goal", distance === null ? `${why}_unknown` : why, {
    distance: formatQuantity(distance, DIGITS, unitText),
    tolerance: formatQuantity(tolerance, DIGITS, unitText),
  });
}
