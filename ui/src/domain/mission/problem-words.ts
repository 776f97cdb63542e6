// A problem of a mission file in the window's language.

import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { stationText } from "../../locales/station-words";

/** The fault in a sentence, and the rest: its remedy, in another language with the station's own English before it. */
type ProblemWords = { short: string; detail: string; detailLanguage: "en" | undefined };

/** The words of a problem. Its kind has a sentence in each language; values and places stand in the station's own. */
export function problemWords({ code, message, help }: MissionProblem): ProblemWords {
  const short = stationText("mission_problem", code);
  if (short === null) return { short: message, detail: help, detailLanguage: undefined };
  return { short, detail: `${message} ${help}`, detailLanguage: "en" };
}

/** All of them on one line. */
export function problemLine(problem: MissionProblem): string {
  const { short, detail } = problemWords(problem);
  return `${short} ${detail}`;
}
