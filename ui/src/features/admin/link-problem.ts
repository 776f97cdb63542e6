// The reason why the station's link reaches nobody, in the window's language.

import type { Connections } from "../../generated/bindings/Connections";
import { codedSaid, saidLine } from "../../locales/station-words";

/** The reason and its remedy; null if there is none. */
export function linkProblem({ problem, problem_kind }: Pick<Connections, "problem" | "problem_kind">): string | null {
  if (problem === null) return null;
  const { text, more } = codedSaid("link_problem", problem_kind, problem);
  // Only the keychain's own words are not in the code.
  return saidLine({ text, more: problem_kind?.code === "key_unread" ? more : null });
}
