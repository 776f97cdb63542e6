// A problem of a mission file in the window's language.

import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { stationText } from "../../locales/station-words";

/** The fault in a sentence, its remedy in another language than English, and the station's own words. */
type ProblemWords = { short: string; remedy: string | null; detail: string; detailLanguage: "en" | undefined };

/**
 * The words of a problem. Its kind has a sentence and a remedy in each language; values and places stand in the station's
 * own words.
 */
export function problemWords({ code, message, help }: Pick<MissionProblem, "code" | "message" | "help">): ProblemWords {
  const short = stationText("mission_problem", code);
  if (short === null) return { short: message, remedy: null, detail: help, detailLanguage: undefined };
  const remedy = stationText("mission_problem_help", code);
  return { short, remedy, detail: `${message} ${help}`, detailLanguage: "en" };
}

/** All of them on one line. */
export function problemLine(problem: MissionProblem): string {
  const { short, remedy, detail } = problemWords(problem);
  return [short, remedy, detail].filter((text) => text !== null).join(" ");
}
