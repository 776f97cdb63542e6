// The reason why a mission is not simply active, in the window's language.

import type { MissionReason } from "../../generated/bindings/MissionReason";
import { formatWhen } from "../../design/format/time";
import { type Said, stationText } from "../../locales/station-words";

/** Codes whose sentence of the station names no more than the code and the one mission that it waits for. */
const WHOLE: ReadonlySet<MissionReason["code"]> = new Set([
  "check_running",
  "check_next",
  "dependency",
  "dependency_paused",
  "dependency_draft",
  "dependency_failed",
  "dependency_cancelled",
  "dependency_missing",
  "dependency_cycle",
  "stop",
  "fallback",
  "compile_failed",
  "expired",
]);

/** The sentence, with the station's own where that says more. `missions` are those that it may wait for. */
export function reasonSaid({ code, ...reason }: MissionReason, missions: readonly string[]): Said {
  const sentence = withLocalTimes(reason.sentence);
  const [mission, ...others] = missions;
  const isNamed = mission !== undefined && others.length === 0;
  const named = isNamed ? stationText("mission_reason", `${code}_of`, { mission }) : null;
  const text = named ?? stationText("mission_reason", code);
  if (text === null) return { text: sentence, more: null };
  const isWhole = WHOLE.has(code) && (named !== null || !code.startsWith("dependency"));
  return { text, more: isWhole ? null : sentence };
}

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)/gu;

/** A sentence of the station with its moments as this desk writes them. */
function withLocalTimes(sentence: string): string {
  return sentence.replaceAll(MOMENT, (moment) => formatWhen(Date.parse(moment)));
}
