// Characters of a text that nobody sees on a screen, and the marks that show them.

/** A way of hiding; the last three matter only where two texts are compared. */
export type MarkKind = "direction" | "invisible" | "control" | "space" | "trailing" | "line_end";

/** A range of the text with what is shown in its place. */
export type HiddenMark = { from: number; to: number; kind: MarkKind; shown: string };

const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u3164\uffa0]/u;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const SPACE = /\p{Zs}/u;
/** Joiners of letters of some scripts, and of emoji: behind such a letter they hide nothing. */
const JOINER = /[\p{Join_Control}\p{Variation_Selector}]/u;
const JOINERS_MAX = 2;
const KEYCAP = /[\d#*]/u;
const ASCII = /^[\0-\x7f]$/u;
const BLANKS_AT_END = /[ \t]+$/u;

/** The marks of a text, in its order. `line_end` marks those ends that are CR LF. */
export function hiddenMarks(text: string, showLineEnds: boolean): HiddenMark[] {
  const marks: HiddenMark[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    // A CR behind the last line ends none: it is a control character like any other.
    const isWindows = line.endsWith("\r") && start + line.length < text.length;
    const shown = isWindows ? line.slice(0, -1) : line;
    const trailing = BLANKS_AT_END.exec(shown)?.[0] ?? "";
    const trailingAt = start + shown.length - trailing.length;
    marks.push(...unseen(shown, start));
    if (trailing !== "") {
      const to = trailingAt + trailing.length;
      marks.push({
        from: trailingAt,
        to,
        kind: "trailing",
        shown: trailing.replaceAll(" ", "␣").replaceAll("\t", "⇥"),
      });
    }
    const end = start + shown.length;
    if (isWindows && showLineEnds) marks.push({ from: end, to: end + 1, kind: "line_end", shown: "CR LF" });
    start += line.length + 1;
  }
  return marks;
}

/** Ends of the lines of a text; one without any counts as `lf`. */
export type LineEnds = "lf" | "crlf" | "mixed";

export function lineEndsOf(text: string): LineEnds {
  const [all, windows] = [text.split("\n").length - 1, text.split("\r\n").length - 1];
  if (windows === 0) return "lf";
  return windows === all ? "crlf" : "mixed";
}

/** True if the ends of lines differ within or between two texts: else each would be marked, and say nothing. */
export function lineEndsDiffer(before: string, after: string): boolean {
  const ends = lineEndsOf(before);
  return ends === "mixed" || ends !== lineEndsOf(after);
}

function unseen(line: string, start: number): HiddenMark[] {
  const marks: HiddenMark[] = [];
  let [at, before, joiners] = [start, "", 0];
  for (const character of line) {
    const isJoiner = JOINER.test(character);
    joiners = isJoiner ? joiners + 1 : 0;
    const kind = kindOf(character);
    if (kind !== null && !(isJoiner && joins(character, before, joiners))) {
      marks.push({ from: at, to: at + character.length, kind, shown: codeOf(character) });
    }
    if (!isJoiner) before = character;
    at += character.length;
  }
  return marks;
}

function joins(joiner: string, before: string, joiners: number): boolean {
  const isKeycap = joiner === "\ufe0f" && KEYCAP.test(before);
  return joiners <= JOINERS_MAX && (isKeycap || (before !== "" && !ASCII.test(before)));
}

function kindOf(character: string): MarkKind | null {
  if (character === " " || character === "\t") return null;
  if (DIRECTION.test(character)) return "direction";
  if (INVISIBLE.test(character)) return "invisible";
  if (CONTROL.test(character)) return "control";
  return SPACE.test(character) ? "space" : null;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
