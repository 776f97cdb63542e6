// Stop behaviour of a robot, compiled in: STOP ALL must have these words when catalogues are not there (U-209).

import type { StopBehaviourName } from "../../generated/bindings/StopBehaviourName";

/** The words, and the kind of stop they resemble. The "-like" is never dropped (U-609). */
export const BEHAVIOUR: Record<StopBehaviourName, { words: string; category: string }> = {
  hold: { words: "holds position", category: "category-2-like" },
  controlled_then_off: { words: "controlled stop, then power off", category: "category-1-like" },
  power_off: { words: "power off now – a load may drop", category: "category-0-like" },
};
