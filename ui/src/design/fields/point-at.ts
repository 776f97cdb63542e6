// A mark under the place of a fault, for text in which every character is as wide.

/** Characters shown to each side of the fault. */
const AROUND = 28;

/** The text around `column`, counted from 1, and a caret under it; a column behind the end points behind the end. */
export function pointAt(text: string, column: number): string {
  const characters = [...text];
  const at = Math.min(Math.max(column - 1, 0), characters.length);
  const from = Math.max(0, at - AROUND);
  const to = Math.min(characters.length, at + AROUND);
  const before = from > 0 ? "…" : "";
  const after = to < characters.length ? "…" : "";
  return `${before}${characters.slice(from, to).join("")}${after}\n${" ".repeat(before.length + at - from)}^`;
}
