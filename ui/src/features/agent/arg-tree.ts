// Arguments of any tool as lines of a read-only tree (U-2201).

/** One line: how deep it stands, its name, and its value where it is no branch. */
export type TreeLine = { depth: number; name: string; text: string | null };

/** More lines help nobody; the exact JSON can be copied. */
const LINES_MAX = 200;
/** Deeper than any operation's input. */
const DEPTH_MAX = 8;

/** The lines of a value, in the order in which it was sent. Numbers in a row stay in a line. */
export function treeOf(value: unknown): TreeLine[] {
  const lines: TreeLine[] = [];
  walk(value, 0, lines);
  return lines.slice(0, LINES_MAX);
}

function walk(value: unknown, depth: number, lines: TreeLine[]): void {
  // Cut here too, not at the end alone: a model can write a value of any size.
  if (typeof value !== "object" || value === null || lines.length > LINES_MAX) return;
  for (const [name, inner] of Object.entries(value)) {
    const leaf = typeof inner !== "object" || inner === null || isPlainList(inner) || depth >= DEPTH_MAX;
    lines.push({ depth, name, text: leaf ? leafText(inner) : null });
    if (!leaf) walk(inner, depth + 1, lines);
  }
}

function isPlainList(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
}

function leafText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value).replaceAll(",", ", ");
}
