// The reason why a try to pair failed, in the window's language.

import type { PairingView } from "../../generated/bindings/PairingView";
import { errorSaid } from "../../locales/i18n";
import { codedSaid, hasStationWords, saidLine } from "../../locales/station-words";

/** The reason; null if no try has failed. */
export function pairingProblem({
  problem,
  problem_kind,
}: Pick<PairingView, "problem" | "problem_kind">): string | null {
  if (problem === null) return null;
  if (problem_kind?.code === "refused" && hasStationWords()) {
    const { text, more } = errorSaid(problem_kind.refusal, problem_kind.message);
    if (text !== problem_kind.message) return saidLine({ text, more });
  }
  const { text, more } = codedSaid("pairing_problem", problem_kind, problem);
  const isWhole = problem_kind?.code !== "refused" && problem_kind?.code !== "failed";
  return saidLine({ text, more: isWhole ? null : more });
}
