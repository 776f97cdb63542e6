// A provider as it is put together: by typing, and by picking fields of a sample.

import type { ProviderConfig } from "../../generated/bindings/ProviderConfig";
import type { Input } from "../../host/operations";
import { type DecimalProblem, fieldText, parseDecimal } from "../../design/fields/decimal";

/** Parameters that are text; an empty one is left out. */
export type TextName =
  | "topic_pattern"
  | "world_state_key_template"
  | "value_field"
  | "filter"
  | "confidence_field"
  | "timestamp_field"
  | "rows"
  | "unit"
  | "mission_id";
/** Parameters that are numbers. */
export type NumberName = "min_interval_secs" | "max_age_secs" | "confidence_default" | "max_keys";
/** Uses of a picked field. */
export type Use = "value" | "key" | "filter" | "confidence" | "time" | "words";
/** Uses that fit a field, by its example value. */
export function usesOf(example: unknown): readonly Use[] {
  if (typeof example === "number") return ["value", "key", "filter", "confidence", "time"];
  if (typeof example === "boolean") return ["value", "key", "filter"];
  return ["value", "key", "filter", "words", "time"];
}

/** Everything the form holds. `closed_sets` is a line for each path: `label: person, dog`. */
export type ProviderDraft = {
  texts: Record<TextName, string>;
  numbers: Record<NumberName, string>;
  closed_sets: string;
  estimated: boolean;
  /** Parameters that the form does not show, kept as they are. */
  kept: Pick<ProviderConfig, "codec" | "envelope">;
};

/** The configuration, or what is wrong with its numbers. */
export type ProviderReading =
  | { config: ProviderConfig; problems: null }
  | { config: null; problems: Partial<Record<NumberName, DecimalProblem>> };

const TEXTS: readonly TextName[] = [
  "topic_pattern",
  "world_state_key_template",
  "value_field",
  "filter",
  "confidence_field",
  "timestamp_field",
  "rows",
  "unit",
  "mission_id",
];
/** A number that may be left out. */
const OPTIONAL: ReadonlySet<NumberName> = new Set(["confidence_default"]);

/** The draft of a provider there is, or of a new one of `topic` with the defaults the station documents. */
export function draftOf(config: ProviderConfig | null, topic: string | null): ProviderDraft {
  const text = (name: TextName) => config?.[name] ?? (name === "topic_pattern" ? (topic ?? "") : "");
  return {
    texts: Object.fromEntries(TEXTS.map((name) => [name, text(name)])) as Record<TextName, string>,
    numbers: {
      min_interval_secs: fieldText(config?.min_interval_secs ?? 0),
      max_age_secs: fieldText(config?.max_age_secs ?? 30),
      confidence_default: config?.confidence_default === undefined ? "" : fieldText(config.confidence_default),
      max_keys: fieldText(config?.max_keys ?? 256),
    },
    closed_sets: setsText(config?.closed_sets ?? {}),
    estimated: config?.origin === "estimated",
    kept: {
      ...(config?.codec === undefined ? {} : { codec: config.codec }),
      ...(config?.envelope === undefined ? {} : { envelope: config.envelope }),
    },
  };
}

/** Reads the draft. What paths, filters and ranges mean is the station's to say. */
export function readProvider(draft: ProviderDraft): ProviderReading {
  const problems: Partial<Record<NumberName, DecimalProblem>> = {};
  const numbers: Partial<Record<NumberName, number>> = {};
  for (const [name, text] of Object.entries(draft.numbers) as [NumberName, string][]) {
    if (text.trim() === "" && OPTIONAL.has(name)) continue;
    const decimal = parseDecimal(text);
    if ("problem" in decimal) problems[name] = decimal.problem;
    else numbers[name] = decimal.value;
  }
  if (Object.keys(problems).length > 0) return { config: null, problems };
  const texts = Object.fromEntries(
    TEXTS.map((name) => [name, draft.texts[name].trim()] as const).filter(([, text]) => text !== ""),
  );
  const { topic_pattern, world_state_key_template, value_field } = draft.texts;
  const sets = setsOf(draft.closed_sets);
  const config: ProviderConfig = {
    ...draft.kept,
    ...texts,
    topic_pattern: topic_pattern.trim(),
    world_state_key_template: world_state_key_template.trim(),
    value_field: value_field.trim(),
    ...numbers,
    ...(Object.keys(sets).length === 0 ? {} : { closed_sets: sets }),
    ...(draft.estimated ? { origin: "estimated" as const } : {}),
  };
  return { config, problems: null };
}

/** Input of `update_context`: fields that the form leaves empty are taken away. */
export function changeOf(config: ProviderConfig): Omit<Input<"update_context">, "id" | "version"> {
  const emptied = [...TEXTS, ...OPTIONAL].filter((name) => config[name] === undefined);
  // What an update leaves out stays as it is at the station, so that an emptied field has to be named.
  return { ...Object.fromEntries(emptied.map((name) => [name, null])), closed_sets: {}, origin: "measured", ...config };
}

/** True if topic, key and value are there, enough to try it. */
export function isTriable({ texts }: ProviderDraft): boolean {
  return [texts.topic_pattern, texts.world_state_key_template, texts.value_field].every((text) => text.trim() !== "");
}

/** The draft with a field of the sample put to a use. */
export function picked(before: ProviderDraft, place: string, example: unknown, use: Use): ProviderDraft {
  const { draft, path } = inRow(before, place);
  const set = (name: TextName, text: string): ProviderDraft => ({ ...draft, texts: { ...draft.texts, [name]: text } });
  const { filter, world_state_key_template: template } = draft.texts;
  switch (use) {
    case "value":
      return set("value_field", path);
    case "key":
      return set("world_state_key_template", template.trim() === "" ? `{${path}}` : `${template.trim()}.{${path}}`);
    case "filter":
      return set("filter", [...(filter.trim() === "" ? [] : [filter.trim()]), clauseOf(path, example)].join(" AND "));
    case "confidence":
      return set("confidence_field", path);
    case "time":
      return set("timestamp_field", path);
    case "words":
      return { ...draft, closed_sets: withWord(draft.closed_sets, path, String(example)) };
  }
}

/** A place in the first element of an array is a place in every row: the array becomes the rows. */
function inRow(draft: ProviderDraft, place: string): { draft: ProviderDraft; path: string } {
  const { rows } = draft.texts;
  const [, array, rest] = /^(.+)\[0\]\.(.+)$/.exec(place) ?? [];
  if (array !== undefined && rest !== undefined && (rows === "" || rows === array)) {
    return { draft: { ...draft, texts: { ...draft.texts, rows: array } }, path: rest };
  }
  // With rows, a plain path would start in the row.
  return { draft, path: rows === "" || place.startsWith("$") ? place : `$.${place}` };
}

function clauseOf(path: string, example: unknown): string {
  if (typeof example === "number") return `${path} >= ${example}`;
  if (typeof example === "boolean") return `${path} = ${example}`;
  return `${path} = '${String(example).replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** A line for each path: `label: person, "red, large"`. */
function setsText(sets: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(sets)
    .map(([path, words]) => `${path}: ${words.map(wordText).join(", ")}`)
    .join("\n");
}

/** A word, in quotation marks where it would not be read back as the same word. */
function wordText(word: string): string {
  return word === "" || word !== word.trim() || /[,"\n]/u.test(word) ? JSON.stringify(word) : word;
}

function setsOf(text: string): Record<string, string[]> {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => {
      const [path = "", ...rest] = line.split(":");
      return [path.trim(), wordsOf(rest.join(":"))] as const;
    }),
  );
}

/** Words between commas; one in quotation marks may have commas of its own. */
function wordsOf(text: string): string[] {
  const words = [...text.matchAll(/\s*("(?:[^"\\]|\\.)*"(?=\s*(?:,|$))|[^,]+)/gu)];
  return words.flatMap(([, word = ""]) => {
    const plain = word.trim();
    return plain === "" ? [] : [unquoted(plain)];
  });
}

function unquoted(word: string): string {
  if (!/^".*"$/u.test(word)) return word;
  try {
    return String(JSON.parse(word));
  } catch {
    // Not a text in quotes after all: it is taken as it was written.
    return word;
  }
}

function withWord(text: string, path: string, word: string): string {
  const sets = setsOf(text);
  const words = sets[path] ?? [];
  return setsText({ ...sets, [path]: words.includes(word) ? words : [...words, word] });
}
