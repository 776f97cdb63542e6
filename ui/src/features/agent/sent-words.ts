// Earlier messages of the operator, for the arrow keys of the composer.

import type { Row } from "./transcript-rows";

/** Places further back than anyone goes by key. */
const BACK_MAX = 100;

/** Earlier messages of `actor`, the newest first, each once. Those of others are not theirs to send again by a slip. */
export function sentWords(rows: readonly Row[], actor: string | undefined): string[] {
  const said = rows.flatMap((row) => (row.kind === "operator" && row.who === actor ? [row.text] : []));
  return [...new Set(said.toReversed())].slice(0, BACK_MAX);
}

/** The place after one press of a key: -1 is the draft itself. Undefined where there is nothing further. */
export function nextPlace(place: number, step: 1 | -1, count: number): number | undefined {
  const next = place + step;
  return next < -1 || next >= count ? undefined : next;
}
