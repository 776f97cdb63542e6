// Two changes of one text put together, line by line.

import { diff3Merge } from "node-diff3";
import { lineEndsOf } from "../../design/editor/hidden-marks";
import { endedLike, plainEnds } from "../../design/editor/line-ends";

// Written into files and searched for there, so they are not translated.
const MINE = "<<<<<<< mine";
const BETWEEN = "=======";
const THEIRS = ">>>>>>> theirs";

/**
 * The text with what both sides have changed in `base`. Where they have changed the same lines in different ways, both
 * stand there between marks, as Git writes them.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string {
  // An editor that ends every line in another way has changed none of them.
  return lineEndsOf(base) === lineEndsOf(theirs)
    ? merged(base, mine, theirs)
    : endedLike(theirs, merged(plainEnds(base), plainEnds(mine), plainEnds(theirs)));
}

function merged(base: string, mine: string, theirs: string): string {
  const regions = diff3Merge(linesOf(mine), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  return regions.map(({ ok, conflict }) => (conflict ? marked(conflict) : (ok ?? []).join(""))).join("");
}

/** The number of places in which somebody has yet to choose. */
export function conflictsIn(text: string): number {
  return linesOf(text).filter((line) => line.trimEnd() === MINE).length;
}

function marked({ a, b }: { a: string[]; b: string[] }): string {
  return `${MINE}\n${ended(a)}${BETWEEN}\n${ended(b)}${THEIRS}\n`;
}

/** Lines with their ends, so that every byte comes back. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/** A mark begins a line. */
function ended(lines: string[]): string {
  const text = lines.join("");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
