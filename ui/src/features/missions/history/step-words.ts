// A step in the life of a mission, in the window's language.

import type { MissionStepRow } from "../../../generated/bindings/MissionStepRow";
import { stationText } from "../../../locales/station-words";

/** The step with its cause and the reason that was given. */
export function stepSentence({ act, cause, reason, sentence }: MissionStepRow): string {
  const verb = stationText("mission_step", act);
  const after = cause === null ? "" : stationText("mission_step_cause", cause.code, cause);
  if (verb === null || after === null) return sentence;
  return reason === null ? `${verb}${after}.` : `${verb}${after}: ${reason}`;
}
