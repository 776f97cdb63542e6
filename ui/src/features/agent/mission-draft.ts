// The draft of a mission that an agent has made, as its call answers it.

/** A draft as a card shows it. Its words come from the file: they are text and nothing else. */
export type DraftedMission = {
  mission_id: string;
  title: string;
  ok: boolean;
  meaning: readonly string[];
  /** Wishes that it does not follow, with the reason. */
  notes: readonly string[];
  problems: readonly { line: number; message: string; severity: string }[];
};

/** Ids of missions, as the station gives them; an address is made of no other. */
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Reads the answer of `draft_mission`; null if it is another one. */
export function readDraft(name: string, value: unknown): DraftedMission | null {
  if (name !== "draft_mission" || typeof value !== "object" || value === null) return null;
  const { mission_id, title, ok, meaning, notes, problems } = value as Record<string, unknown>;
  if (typeof mission_id !== "string" || !ID.test(mission_id) || typeof title !== "string") return null;
  return {
    mission_id,
    title,
    ok: ok === true,
    meaning: texts(meaning),
    notes: texts(notes),
    problems: problemsOf(problems),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

function problemsOf(value: unknown): DraftedMission["problems"] {
  const rows: unknown[] = Array.isArray(value) ? value : [];
  return rows.flatMap((row) => {
    if (typeof row !== "object" || row === null) return [];
    const { line, message, severity } = row as Record<string, unknown>;
    return typeof message === "string"
      ? [{ line: Number(line) || 1, message, severity: typeof severity === "string" ? severity : "error" }]
      : [];
  });
}
