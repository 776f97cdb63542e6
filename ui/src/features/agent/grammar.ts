// The words of the command interpreter, for the menu of the composer. The station reads them; this only helps to write.

/** One command: the word after the slash, what follows it, and what it does in the reader's words. */
export type Command = { word: string; follows: string };

/** In the order of the menu. */
export const COMMANDS: readonly Command[] = [
  { word: "help", follows: "[command]" },
  { word: "status", follows: "[robot]" },
  { word: "world", follows: "[prefix]" },
  { word: "missions", follows: "[state]" },
  { word: "pause", follows: "mission" },
  { word: "resume", follows: "mission" },
  { word: "cancel", follows: "[mission]" },
  { word: "move", follows: "robot to x y z [at v]" },
  { word: "drive", follows: "robot to x y [at v]" },
  { word: "turn", follows: "robot left|right angle" },
  { word: "grip", follows: "robot [at f]" },
  { word: "open", follows: "robot [to d]" },
  { word: "stop", follows: "[robot]" },
  { word: "remember", follows: "subject predicate = value" },
  { word: "belief", follows: "subject [predicate]" },
  { word: "recall", follows: "words" },
  { word: "forget", follows: "words" },
  { word: "why", follows: "[was it denied]" },
  { word: "constraints", follows: "[mission]" },
  { word: "add", follows: "constraint mission kind …" },
  { word: "schedule", follows: '"command" at hh:mm' },
  { word: "alerts", follows: "" },
  { word: "proposals", follows: "" },
  { word: "dryrun", follows: "move …" },
  { word: "steer", follows: "words for the running reply" },
  { word: "loop", follows: "times" },
];

/** Words of more than one piece, and those that a person answers with a button: the interpreter says which. */
const ALSO_KNOWN = ["what", "approve", "reject", "release", "arm", "mode"] as const;

/** The commands whose word begins with what is written after the slash; none once the word is over. */
export function offered(draft: string): readonly Command[] {
  const word = /^\/(\S*)$/.exec(draft)?.[1]?.toLowerCase();
  return word === undefined ? [] : COMMANDS.filter((command) => command.word.startsWith(word));
}

/** The nearest known word, if a line begins with a slash and a word that nobody knows (U-907). */
export function nearestKnown(text: string): string | null {
  const word = /^\/(\S*)/.exec(text.trim())?.[1]?.toLowerCase();
  if (word === undefined) return null;
  if (word === "") return "help";
  const known = [...COMMANDS.map((command) => command.word), ...ALSO_KNOWN];
  // Known is enough: the station checks what follows a word, and answers with the form of the command.
  if (known.includes(word)) return null;
  const ranked = COMMANDS.map((command) => ({ word: command.word, far: distance(word, command.word) })).toSorted(
    (a, b) => a.far - b.far,
  );
  return ranked[0]?.word ?? null;
}

/** Letters to add, take, change or swap until one word is the other (Damerau–Levenshtein, neighbours swapped once). */
export function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, place) => place)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cell = (up: number, left: number) => rows[i - up]?.[j - left] ?? Number.POSITIVE_INFINITY;
      const change = cell(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? cell(2, 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(cell(1, 0) + 1, (row[j - 1] ?? 0) + 1, change, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
