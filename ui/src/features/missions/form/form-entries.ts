// Entries of the lists of a mission file, as a form shows them: the kind of each, and its parts as text.

import { fieldText, numberOrText } from "../../../design/fields/decimal";
import { t } from "../../../locales/i18n";

/** The lists of a file that a form shows entry by entry. */
export type ListKey = "goals" | "triggers" | "preconditions" | "constraints";

/** An entry as a form shows it. */
export type EntryForm = { kind: string; parts: Readonly<Record<string, string>> };

/** A part of an entry: a text, a number, or JSON. */
export type Part = { name: string; is: "text" | "number" | "json"; optional?: boolean };

/** A kind of entry. `bare` is written as its only part, not as a mapping. */
export type Kind = { kind: string; parts: readonly Part[]; bare?: boolean; word?: string };

const text = (name: string, optional = false): Part => ({ name, is: "text", optional });
const number = (name: string, optional = false): Part => ({ name, is: "number", optional });
const json = (name: string): Part => ({ name, is: "json" });

/** The kinds of entries of each list; the first is that of a new one. */
export const KINDS: Record<ListKey, readonly Kind[]> = {
  goals: [
    { kind: "sentence", parts: [text("goal")], bare: true },
    { kind: "sentence_until", parts: [text("goal"), text("done_when")] },
    { kind: "wait_secs", parts: [number("wait_secs")] },
    { kind: "wait_for", parts: [text("wait_for"), number("timeout_secs", true)] },
    { kind: "step", parts: [text("name", true), text("operation"), json("input"), number("timeout_secs", true)] },
  ],
  triggers: [
    { kind: "immediate", parts: [], word: "immediate" },
    { kind: "cron", parts: [text("cron")] },
    { kind: "at", parts: [text("at")] },
    { kind: "when", parts: [text("when")] },
    { kind: "spawn", parts: [], word: "spawn" },
  ],
  preconditions: [
    { kind: "rule", parts: [text("rule")], bare: true },
    { kind: "sentence", parts: [text("text")] },
  ],
  constraints: [{ kind: "limit", parts: [text("type"), json("params"), text("robot", true), text("reason", true)] }],
};

/** An entry as its form; null if it is none of the kinds, and is changed in the text. */
export function formOf(list: ListKey, value: unknown): EntryForm | null {
  for (const kind of KINDS[list]) {
    const parts = partsOf(kind, value);
    if (parts !== null) return { kind: kind.kind, parts };
  }
  return null;
}

function partsOf({ parts, bare, word }: Kind, value: unknown): Record<string, string> | null {
  if (word !== undefined) return value === word ? {} : null;
  const [only] = parts;
  if (bare === true && only !== undefined) return typeof value === "string" ? { [only.name]: value } : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entry = new Map(Object.entries(value));
  if (parts.some(({ name, optional }) => optional !== true && !entry.has(name))) return null;
  return Object.fromEntries(
    parts.map((part) => [part.name, entry.has(part.name) ? shown(part, entry.get(part.name)) : ""]),
  );
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
  return { value: entry };
}

/** The value of a part; undefined if it is no JSON. What is no number stays text, so that the station says so. */
function partValue({ is }: Part, written: string): unknown {
  if (is === "text") return written;
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

/** The value of a new entry of a kind. */
export function emptyOf(list: ListKey, name: string): unknown {
  const kind = KINDS[list].find((one) => one.kind === name);
  if (kind === undefined || kind.word !== undefined) return kind?.word;
  if (kind.bare === true) return newParts()[kind.parts[0]?.name ?? ""];
  const [parts, values] = [kind.parts.filter(({ optional }) => optional !== true), newParts()];
  return Object.fromEntries(parts.map((part) => [part.name, values[part.name]]));
}

/** Parts of new entries: valid wherever a valid one can be made without asking. */
function newParts(): Readonly<Record<string, unknown>> {
  return {
    goal: t("mission_form.new_goal"),
    done_when: "key = 1",
    wait_secs: 60,
    wait_for: "key = 1",
    operation: "send_command",
    input: {},
    cron: "0 8 * * *",
    at: "2030-01-01T08:00:00",
    when: "key = 1",
    rule: "key > 0",
    text: t("mission_form.new_sentence"),
    type: "max_velocity",
    params: 0.5,
  };
}
