// Why a run of a job failed, in the window's language.

import type { JobFault } from "../../generated/bindings/JobFault";
import { actText } from "../../domain/audit/record-text";
import { stationText } from "../../locales/station-words";

/** The fault, or the station's own words where the window has none; null of a run that did not fail. */
export function faultText(error: string | null, fault: JobFault | undefined): string | null {
  if (error === null || fault === undefined) return error;
  return stationText("job_fault", fault.code, valuesOf(fault)) ?? error;
}

function valuesOf(fault: JobFault): object {
  switch (fault.code) {
    case "missed": {
      const reason = stationText("job_missed", fault.reason);
      const more = fault.stands_for_more ? stationText("job_missed", "more") : null;
      return { missed_text: more === null ? reason : `${reason}, ${more}` };
    }
    case "may_not_call":
      return { operation: actText(fault.operation) };
    case "mission_gone":
    case "no_answer":
    case "declined":
    case "budget_spent":
    case "too_long":
    case "model_silent":
    case "not_written":
    case "dropped":
    case "unattended":
    case "undecided":
    case "call_failed":
    case "overlap":
    case "interrupted":
    case "interrupted_after_actuation":
    case "rejected":
    case "mode":
    case "other":
      return fault;
  }
}
