// Selection and order of the rows of the world state.

import type { WorldRow } from "../../generated/bindings/WorldRow";
import type { Freshness } from "../../design/format/freshness";

/** A column the table can be sorted by. */
export type Column = "key" | "confidence" | "source";
/** The present order; `down` is Z to A, or the highest first. */
export type Order = { column: Column; down: boolean };
/** Rows of interest: all, what is current, what is not, what another source contradicts, and free text. */
export const KINDS = ["all", "current", "old", "contested", "text"] as const;
/** One of [`KINDS`]. */
export type Kind = (typeof KINDS)[number];

/** Rows whose key, value or source contains every word of the filter. */
export function shownRows(rows: readonly WorldRow[], filter: string, order: Order): WorldRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = `${row.key} ${row.value} ${row.source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sign = order.down ? -1 : 1;
  return found.sort((a, b) => sign * compare(a, b, order.column) || inOrder(a.key, b.key));
}

/** True if a row is of a kind, with the freshness it has now. */
export function isOfKind(row: WorldRow, kind: Kind, freshness: Freshness): boolean {
  switch (kind) {
    case "all":
      return true;
    case "current":
      return freshness === "live" || freshness === "aging";
    case "old":
      return freshness !== "live" && freshness !== "aging";
    case "contested":
      return row.contested;
    case "text":
      return row.trust === "text";
  }
}

function compare(a: WorldRow, b: WorldRow, column: Column): number {
  switch (column) {
    case "key":
      return inOrder(a.key, b.key);
    case "source":
      return inOrder(a.source, b.source);
    case "confidence":
      return (a.confidence ?? -1) - (b.confidence ?? -1);
  }
}

/** Keys are plain letters (WS-05); thousands of them are sorted with every answer. */
function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
