// Entries of the lists of a mission file, as a form shows them: the kind of each, and its parts as text.

import { fieldText, numberOrText } from "../../../design/fields/decimal";
import { type Kind, KINDS, type ListKey, type Part } from "./entry-kinds";

/** An entry as a form shows it. */
export type EntryForm = { kind: string; parts: Readonly<Record<string, string>> };

/** An entry as its form; null if it is none of the kinds, and is changed in the text. */
export function formOf(list: ListKey, value: unknown): EntryForm | null {
  for (const kind of KINDS[list]) {
    const parts = partsOf(kind, value);
    if (parts !== null) return { kind: kind.kind, parts };
  }
  return null;
}

function partsOf({ parts, bare, word, short }: Kind, written: unknown): Record<string, string> | null {
  if (word !== undefined) return written === word ? {} : null;
  const value = short !== undefined && typeof written === "string" ? { [short]: written } : written;
  const [only] = parts;
  if (bare === true && only !== undefined)
    return typeof value === "string" && !hasLines(value) ? { [only.name]: value } : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entry = new Map(Object.entries(value));
  if (parts.some(({ name, optional }) => optional !== true && !entry.has(name))) return null;
  // A field has one line: it would lose the others without a word.
  if (parts.some(({ name }) => hasLines(entry.get(name)))) return null;
  return Object.fromEntries(
    parts.map((part) => [part.name, entry.has(part.name) ? shown(part, entry.get(part.name)) : ""]),
  );
}

function hasLines(value: unknown): boolean {
  return typeof value === "string" && value.trim().includes("\n");
}

function shown({ is }: Part, value: unknown): string {
  if (is === "number" && typeof value === "number") return fieldText(value);
  return is === "json" || typeof value !== "string" ? JSON.stringify(value) : value;
}

/** The value that a form stands for. Keys of `before` that the form does not show stay; null if a part is no JSON. */
export function valueOf(list: ListKey, form: EntryForm, before: unknown): { value: unknown } | null {
  const kind = KINDS[list].find((one) => one.kind === form.kind);
  if (kind === undefined) return null;
  if (kind.word !== undefined) return { value: kind.word };
  const [only] = kind.parts;
  if (kind.bare === true && only !== undefined) return { value: form.parts[only.name] ?? "" };
  const isSame = formOf(list, before)?.kind === form.kind;
  const entry: Record<string, unknown> = isSame && typeof before === "object" ? { ...before } : {};
  for (const part of kind.parts) {
    const written = (form.parts[part.name] ?? "").trim();
    if (written === "" && part.optional === true) {
      delete entry[part.name];
      continue;
    }
    const value = partValue(part, written);
    if (value === undefined) return null;
    entry[part.name] = value;
  }
  const isShort = kind.short !== undefined && typeof before === "string" && Object.keys(entry).length === 1;
  return { value: isShort ? entry[kind.short ?? ""] : entry };
}

/** The value of a part; undefined if it is no JSON. What is no number stays text, so that the station says so. */
function partValue({ is }: Part, written: string): unknown {
  if (is === "text" || is === "code" || is === "choice") return written;
  if (is === "number") return numberOrText(written);
  return jsonOf(written);
}

/** The value that a text stands for; undefined if it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a key that is edited as text. A list must not become a text that only looks like one. */
export function valueOfText(text: string): unknown {
  return jsonOf(text) ?? text;
}
