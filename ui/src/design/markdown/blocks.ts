// Text of a model cut into blocks that stand by themselves, so that those that are finished are not read again while
// the rest streams (U-904).

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
/** A line that belongs to what stands before it. */
const GOES_ON = /^(?: {2,}|\t)/;

/** Blocks in order; joined by a blank line they are the text again. A code fence that is still open stays one block. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  let blank = false;
  for (const line of text.split("\n")) {
    if (blank && lines.length > 0 && fence === null && line.trim() !== "" && !belongs(line, lines)) {
      blocks.push(lines.join("\n").trimEnd());
      lines = [];
    }
    fence = fenceAfter(fence, line);
    blank = fence === null && line.trim() === "";
    if (!blank || lines.length > 0) lines.push(line);
  }
  const rest = lines.join("\n").trimEnd();
  return rest === "" ? blocks : [...blocks, rest];
}

/** True if a line after a blank one continues the block before it. */
function belongs(line: string, before: readonly string[]): boolean {
  return before.some((other) => LIST_ITEM.test(other)) && (GOES_ON.test(line) || LIST_ITEM.test(line));
}

/** The mark of the fence that is open behind this line. */
function fenceAfter(open: string | null, line: string): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? null : open;
}
