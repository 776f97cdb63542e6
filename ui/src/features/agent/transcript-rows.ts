// The stored conversation as rows of the dock: who said what, and what each tool call came to.

import type { Content } from "../../bindings/Content";
import type { EntryLine } from "../../bindings/EntryLine";
import type { ItemRow } from "../../bindings/ItemRow";
import type { Proposal } from "../../bindings/Proposal";
import type { RawCommand } from "../../bindings/RawCommand";
import type { Verdict } from "../../bindings/Verdict";
import { t } from "../../shared/i18n";

/** What a tool call came to. */
export type ToolResult =
  | { kind: "denial"; sentence: string; verdict: Verdict; rows: readonly ItemRow[]; command: RawCommand | null }
  | { kind: "asked" }
  | { kind: "text"; text: string };

/** One row of the dock. */
export type Row =
  | { kind: "operator"; id: number; at_ms: number; text: string }
  | { kind: "quoted"; id: number; at_ms: number; text: string; source: string }
  | { kind: "agent"; id: number; at_ms: number; text: string }
  | { kind: "proposal"; id: string; at_ms: number }
  | { kind: "tool"; id: number; at_ms: number; call: string; name: string; args: string; took_ms: number | null; result: ToolResult | null }
  | { kind: "system"; id: number; at_ms: number; text: string };

/** The note a desk puts in front of what an operator typed; it is for the model, not for the reader. */
const DESK_NOTE = /^\[Desk [^\]]*\] /;

/** A proposal's time is given in whole seconds; what was said in the same second led to it. */
const WITHIN_SECOND_MS = 999;

/** Rows in order. What the station added for the model only is left out. */
export function toRows(entries: readonly EntryLine[]): Row[] {
  const results = new Map(entries.flatMap((entry) => (entry.tool_call_id === undefined ? [] : [[entry.tool_call_id, entry] as const])));
  return entries.flatMap((entry) => rowsOf(entry, results));
}

/** Proposals where they were made. The conversation itself learns of one only when it is decided. */
export function withProposals(rows: readonly Row[], proposals: readonly Pick<Proposal, "id" | "created_at">[]): Row[] {
  const first_ms = rows[0]?.at_ms ?? Number.POSITIVE_INFINITY;
  const made = proposals
    .map(({ id, created_at }): Row => ({ kind: "proposal", id, at_ms: created_at * 1_000 + WITHIN_SECOND_MS }))
    .filter(({ at_ms }) => at_ms >= first_ms);
  return [...rows, ...made].sort((a, b) => a.at_ms - b.at_ms);
}

function rowsOf(entry: EntryLine, results: ReadonlyMap<string, EntryLine>): Row[] {
  const { id, at_ms } = entry;
  const content = textOf(entry.content);
  switch (entry.kind) {
    case "user":
      if (entry.trust === "text") return [{ kind: "quoted", id, at_ms, text: content, source: entry.origin }];
      return [{ kind: "operator", id, at_ms, text: content.replace(DESK_NOTE, "") }];
    case "assistant":
      return [...toolRows(entry, results), ...(content.trim() === "" ? [] : [{ kind: "agent", id, at_ms, text: content } as const])];
    case "marker":
      return [{ kind: "system", id, at_ms, text: markerText(entry) }];
    case "tool_result":
    case "volatile":
      return [];
  }
}

/** The words of a line, its parts one under the other. */
function textOf(content: Content | undefined): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : content.map(({ text }) => text).join("\n");
}

function markerText({ marker }: EntryLine): string {
  if (marker && "epoch" in marker) return t("agent.reset");
  return marker && "cut_by_length" in marker ? t("agent.cut") : t("agent.cancelled");
}

function toolRows(entry: EntryLine, results: ReadonlyMap<string, EntryLine>): Row[] {
  return (entry.tool_calls ?? []).map((call) => {
    const result = results.get(call.id);
    return {
      kind: "tool",
      id: entry.id,
      at_ms: entry.at_ms,
      call: call.id,
      name: call.function.name,
      args: call.function.arguments,
      took_ms: result ? result.at_ms - entry.at_ms : null,
      result: result ? readResult(textOf(result.content), call.function.arguments) : null,
    };
  });
}

/** Reads the result of a tool called with `args`; what it does not know is text. */
export function readResult(content: string, args: string): ToolResult {
  const value = parseJson(content);
  if (isDenial(value)) {
    return { kind: "denial", sentence: value.sentence, verdict: value.verdict, rows: value.explanation, command: readCommand(args) };
  }
  if (hasProposal(value)) return { kind: "asked" };
  return { kind: "text", text: value === null ? content : JSON.stringify(value, null, 2) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The command that was asked for. The station has read it before; here only its outline is checked. */
function readCommand(args: string): RawCommand | null {
  const value = parseJson(args);
  return isCommand(value) ? value : null;
}

function isCommand(value: unknown): value is RawCommand {
  return isRecord(value) && typeof value["robot"] === "string" && typeof value["actuator"] === "string" && isRecord(value["motion"]);
}

type DenialResult = { state: "denied"; verdict: Verdict; explanation: ItemRow[]; sentence: string };

function isDenial(value: unknown): value is DenialResult {
  return (
    isRecord(value) && value["state"] === "denied" && isRecord(value["verdict"]) && Array.isArray(value["explanation"]) && typeof value["sentence"] === "string"
  );
}

function hasProposal(value: unknown): boolean {
  return isRecord(value) && isRecord(value["proposal"]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
