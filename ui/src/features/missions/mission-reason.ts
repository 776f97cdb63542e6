// The reason why a mission is not simply active, in the window's language.

import type { MissionReason } from "../../generated/bindings/MissionReason";
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
export function reasonSaid({ code, sentence }: MissionReason, missions: readonly string[]): Said {
  const [mission, ...others] = missions;
  const isNamed = mission !== undefined && others.length === 0;
  const named = isNamed ? stationText("mission_reason", `${code}_of`, { mission }) : null;
  const text = named ?? stationText("mission_reason", code);
  if (text === null) return { text: sentence, more: null };
  const isWhole = WHOLE.has(code) && (named !== null || !code.startsWith("dependency"));
  return { text, more: isWhole ? null : sentence };
}
