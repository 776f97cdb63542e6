// How many robots are stopped, in words, while others are free.

import type { PartlyStopped } from "./stop-view";
import { WORDS } from "./strings";

/** "1 of 4 stopped"; who has not confirmed comes first. */
export function partlyText({ stopped, not_confirmed, total }: PartlyStopped): string {
  return not_confirmed > 0 ? WORDS.partlyUnconfirmed(not_confirmed, total) : WORDS.partly(stopped, total);
}
