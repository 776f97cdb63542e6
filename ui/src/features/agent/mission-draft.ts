// The draft of a mission that an agent has made, as its call answers it.

import { problemWords } from "../../domain/mission/problem-words";
import type { MissionProblemCode } from "../../generated/bindings/MissionProblemCode";
import { codedText } from "../../locales/station-words";

/** A draft as a card shows it. Its words come from the file: they are text and nothing else. */
export type DraftedMission = {
  mission_id: string;
  title: string;
  /** SHA-256 of its text; null of a station that does not tell it. */
  hash: string | null;
  ok: boolean;
  meaning: readonly string[];
  /** Wishes that it does not follow, with the reason, in the window's language. */
  notes: readonly string[];
  /** Its problems in the window's language. */
  problems: readonly { line: number; message: string; severity: string }[];
};

/** Ids of missions, as the station gives them; an address is made of no other. */
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Reads the answer of `draft_mission`; null if it is another one. */
export function readDraft(name: string, value: unknown): DraftedMission | null {
  if (name !== "draft_mission" || typeof value !== "object" || value === null) return null;
  const { mission_id, title, hash, ok, meaning, notes, note_kinds, problems } = value as Record<string, unknown>;
  if (typeof mission_id !== "string" || !ID.test(mission_id) || typeof title !== "string") return null;
  return {
    mission_id,
    title,
    hash: typeof hash === "string" ? hash : null,
    ok: ok === true,
    meaning: texts(meaning),
    notes: texts(notes).map((note, at) => codedText("mission_draft_note", kindAt(note_kinds, at), note)),
    problems: problemsOf(problems),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** A code with its data, as the station gives it beside a sentence. */
function kindAt(kinds: unknown, at: number): { code: string } | null {
  const kind: unknown = Array.isArray(kinds) ? kinds[at] : null;
  if (typeof kind !== "object" || kind === null || !("code" in kind)) return null;
  return typeof kind.code === "string" ? { ...kind, code: kind.code } : null;
}

function problemsOf(value: unknown): DraftedMission["problems"] {
  const rows: unknown[] = Array.isArray(value) ? value : [];
  return rows.flatMap((row) => {
    if (typeof row !== "object" || row === null) return [];
    const { line, code, message, severity } = row as Record<string, unknown>;
    if (typeof message !== "string") return [];
    const problem = { code: code as MissionProblemCode, message, help: "" };
    const said = typeof code === "string" ? problemWords(problem).short : message;
    return [{ line: Number(line) || 1, message: said, severity: typeof severity === "string" ? severity : "error" }];
  });
}
