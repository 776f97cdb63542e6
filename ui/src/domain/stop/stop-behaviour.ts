// Stop behaviour of a robot, compiled in: STOP ALL must have these words when catalogues are not there (U-209).

import type { StopBehaviourName } from "../../generated/bindings/StopBehaviourName";
import { spoken } from "../../host/language";

type Behaviours = Readonly<Record<StopBehaviourName, { words: string; category: string }>>;

const EN: Behaviours = {
  hold: { words: "holds position", category: "category-2-like" },
  controlled_then_off: { words: "controlled stop, then power off", category: "category-1-like" },
  power_off: { words: "power off now – a load may drop", category: "category-0-like" },
};

const DE: Behaviours = {
  hold: { words: "hält die Position", category: "ähnlich Kategorie 2" },
  controlled_then_off: { words: "stoppt gesteuert, dann Energie aus", category: "ähnlich Kategorie 1" },
  power_off: { words: "Energie sofort aus – Last kann fallen", category: "ähnlich Kategorie 0" },
};

/** The words, and the kind of stop they resemble. The "-like" is never dropped (U-609). */
export function behaviourOf(name: StopBehaviourName): { words: string; category: string } {
  return spoken({ en: EN, de: DE })[name];
}
