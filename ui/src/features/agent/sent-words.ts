// Earlier messages of the operator, for the arrow keys of the composer.

/** Places further back than anyone goes by key. */
const BACK_MAX = 100;

/** Earlier messages, the newest first, each once. */
export function sentWords(rows: readonly { kind: string; text?: string }[]): string[] {
  const said = rows.flatMap((row) => (row.kind === "operator" && row.text !== undefined ? [row.text] : []));
  return [...new Set(said.toReversed())].slice(0, BACK_MAX);
}

/** The place after one press of a key: -1 is the draft itself. Undefined where there is nothing further. */
export function nextPlace(place: number, step: 1 | -1, count: number): number | undefined {
  const next = place + step;
  return next < -1 || next >= count ? undefined : next;
}
