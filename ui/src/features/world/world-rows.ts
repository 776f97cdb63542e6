// Which rows of the world state are shown, and in which order.

import type { WorldRow } from "../../bindings/WorldRow";

/** A column the table can be sorted by. */
export type Column = "key" | "confidence" | "source";
/** The present order; `down` is Z to A, or the highest first. */
export type Order = { column: Column; down: boolean };

/** Rows whose key, value or source contains every word of the filter. */
export function shownRows(rows: readonly WorldRow[], filter: string, order: Order): WorldRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = `${row.key} ${row.value} ${row.source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sign = order.down ? -1 : 1;
  return found.sort((a, b) => sign * compare(a, b, order.column) || a.key.localeCompare(b.key));
}

function compare(a: WorldRow, b: WorldRow, column: Column): number {
  switch (column) {
    case "key":
      return a.key.localeCompare(b.key);
    case "source":
      return a.source.localeCompare(b.source);
    case "confidence":
      return (a.confidence ?? -1) - (b.confidence ?? -1);
  }
}
