// World state that the agent was shown when it spoke, and the values its words rest on (U-902).

import { rowsIn } from "./result-table";

/** A value as the agent was shown it. `entry` is the line of the transcript that shows it. */
export type Evidence = {
  entry: number;
  key: string;
  value: string;
  unit: string | null;
  confidence: number | null;
  age_s: number;
};

/** `person.location = "hallway" (confidence: 0.92, age: 3s, unit: m)`, as it stands under the words `[World State]`. */
const LINE = /^([^\s=]+) = (.*) \(confidence: ([\d.]+|unknown), age: (\d+)s(?:, unit: ([^,)]+))?[^)]*\)$/;
/** A line of a reply that lists the world. */
const LISTED = /^\s*(?:[-*•]\s+)?`?([^\s=`]+)`? = /u;
/** A reply with more of them lists the world; its words are the list. */
const CHIPS_MAX = 6;

/** The most that a number differs from itself when it is written with six digits. */
const ROUNDED_SHARE = 5e-6;

/** The values in a block of world state. */
export function readWorldBlock(entry: number, text: string): Evidence[] {
  return text.split("\n").flatMap((line) => {
    const [, key, value, confidence, age, unit] = LINE.exec(line) ?? [];
    if (key === undefined || value === undefined) return [];
    return [
      {
        entry,
        key,
        value: unquoted(value),
        unit: unit ?? null,
        confidence: confidence === "unknown" ? null : Number(confidence),
        age_s: Number(age),
      },
    ];
  });
}

/** The values in the answer of `list_world_state`. */
export function readWorldRows(entry: number, items: unknown): Evidence[] {
  return rowsIn(items).flatMap(({ key, value, unit, confidence, age_ms }) => {
    if (typeof key !== "string" || value === undefined || typeof age_ms !== "number") return [];
    const shown = {
      unit: typeof unit === "string" ? unit : null,
      confidence: typeof confidence === "number" ? confidence : null,
    };
    return [
      {
        entry,
        key,
        value: typeof value === "string" ? value : JSON.stringify(value),
        ...shown,
        age_s: Math.floor(age_ms / 1_000),
      },
    ];
  });
}

/**
 * Of what was known, newest last, the values that these words name: by key, or by value together with what it is of.
 */
export function citedIn(text: string, known: readonly Evidence[]): Evidence[] {
  const newest = new Map(known.map((fact) => [fact.key, fact]));
  const said = text.toLowerCase();
  const cited = [...newest.values()].filter(
    ({ key, value }) => says(said, key) || (says(said, value) && says(said, key.split(".")[0] ?? key)),
  );
  return cited.length > CHIPS_MAX ? [] : cited;
}

/** The words without the lines that only list one of these facts, `person.location = "hallway" (0.92, 3 s old)`: a chip says them. */
export function withoutListed(text: string, facts: readonly Evidence[]): string {
  const keys = new Set(facts.map(({ key }) => key));
  const lines = text.split("\n").filter((line) => !keys.has(LISTED.exec(line)?.[1] ?? ""));
  return lines.join("\n").trim();
}

/** True if a value of now reads as it was shown: with six digits, and with the beginning of a long text alone. */
export function readsAs(now: number | boolean | string, shown: string): boolean {
  if (typeof now === "string") return now === shown || (shown.endsWith("…") && now.startsWith(shown.slice(0, -1)));
  if (typeof now === "boolean") return String(now) === shown;
  return Math.abs(now - Number(shown)) <= Math.abs(now) * ROUNDED_SHARE;
}

/** True if these words stand in a text by themselves; `_` reads as a blank. */
function says(text: string, words: string): boolean {
  const wanted = words.toLowerCase();
  return [wanted, wanted.replaceAll("_", " ")].some((form) => {
    const at = text.indexOf(form);
    return form !== "" && at >= 0 && !isWord(text[at - 1]) && !isWord(text[at + form.length]);
  });
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function unquoted(value: string): string {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === "string" ? read : value;
  } catch {
    // Not JSON: it is shown as it stands.
    return value;
  }
}
