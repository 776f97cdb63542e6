// Lists in the results of tools, which the station writes as tables: names of fields once, then rows of values.

/** A list of objects. Fields of inner objects have dots in their names. */
export type ResultTable = { columns: string[]; rows: unknown[][]; in_every_row?: Record<string, unknown> };

export function isResultTable(value: unknown): value is ResultTable {
  if (typeof value !== "object" || value === null) return false;
  const { columns, rows } = value as Record<string, unknown>;
  return (
    Array.isArray(columns) &&
    columns.every((name) => typeof name === "string") &&
    Array.isArray(rows) &&
    rows.every(Array.isArray)
  );
}

/** The objects of a list, whichever way it is written; none where it is no list of objects. */
export function rowsIn(list: unknown): Record<string, unknown>[] {
  if (Array.isArray(list))
    return list.filter((item): item is Record<string, unknown> => typeof item === "object" && item !== null);
  if (!isResultTable(list)) return [];
  const { columns, rows, in_every_row } = list;
  return rows.map((row) => ({
    ...in_every_row,
    ...Object.fromEntries(columns.map((name, place) => [name, row[place]])),
  }));
}

/** Of a result the lists of its fields that are tables, and what else it says. */
export function splitTables(value: unknown): {
  tables: [name: string, table: ResultTable][];
  rest: Record<string, unknown>;
} {
  const fields = Object.entries(typeof value === "object" && value !== null ? value : {});
  const tables = fields.flatMap(([name, field]) =>
    isResultTable(field) ? [[name, field] as [string, ResultTable]] : [],
  );
  return { tables, rest: Object.fromEntries(fields.filter(([, field]) => !isResultTable(field))) };
}
