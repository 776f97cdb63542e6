// An order that does not change under the hand: which rows stand where while somebody is about to act on one of them.

/** A row in its place. One that is `gone` has left the list meanwhile; it keeps its place until the hand is away. */
export type HeldRow<Row> = { row: Row; gone: boolean };

/** Rows in the order they were held in, and how many have come since and wait behind. */
export function holdOrder<Row>(
  rows: readonly Row[],
  held: readonly Row[] | null,
  idOf: (row: Row) => string,
): { rows: readonly HeldRow<Row>[]; behind: number } {
  if (held === null) return { rows: rows.map((row) => ({ row, gone: false })), behind: 0 };
  const now = new Map(rows.map((row) => [idOf(row), row]));
  const inPlace = held.map((row) => ({ row: now.get(idOf(row)) ?? row, gone: !now.has(idOf(row)) }));
  const known = new Set(held.map(idOf));
  return { rows: inPlace, behind: rows.filter((row) => !known.has(idOf(row))).length };
}
