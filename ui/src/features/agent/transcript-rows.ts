// The stored conversation as rows of the dock: who said what, and what each tool call came to.

import type { Entry } from "../../bindings/Entry";
import type { ItemRow } from "../../bindings/ItemRow";
import type { Verdict } from "../../bindings/Verdict";

/** What a tool call came to. */
export type ToolResult =
  | { kind: "denial"; sentence: string; verdict: Verdict; rows: readonly ItemRow[] }
  | { kind: "proposal"; id: string }
  | { kind: "text"; text: string };

/** One row of the dock. */
export type Row =
  | { kind: "operator"; id: number; at_ms: number; text: string }
  | { kind: "quoted"; id: number; at_ms: number; text: string; source: string }
  | { kind: "agent"; id: number; at_ms: number; text: string }
  | { kind: "tool"; id: number; call: string; name: string; args: string; took_ms: number | null; result: ToolResult | null }
  | { kind: "system"; id: number; at_ms: number; text: string };

/** The note a desk puts in front of what an operator typed; it is for the model, not for the reader. */
const DESK_NOTE = /^\[Desk [^\]]*\] /;

/** Rows in order. What the station added for the model only is left out. */
export function toRows(entries: readonly Entry[]): Row[] {
  const results = new Map(entries.flatMap((entry) => (entry.tool_call_id === undefined ? [] : [[entry.tool_call_id, entry] as const])));
  return entries.flatMap((entry) => rowsOf(entry, results));
}

function rowsOf(entry: Entry, results: ReadonlyMap<string, Entry>): Row[] {
  const { id, at_ms, content } = entry;
  switch (entry.kind) {
    case "user":
      if (entry.trust === "text") return [{ kind: "quoted", id, at_ms, text: content, source: entry.origin }];
      return [{ kind: "operator", id, at_ms, text: content.replace(DESK_NOTE, "") }];
    case "assistant":
      return [...toolRows(entry, results), ...(content.trim() === "" ? [] : [{ kind: "agent", id, at_ms, text: content } as const])];
    case "marker":
      return content.trim() === "" ? [] : [{ kind: "system", id, at_ms, text: content }];
    case "tool_result":
    case "volatile":
    case "nudge":
      return [];
  }
}

function toolRows(entry: Entry, results: ReadonlyMap<string, Entry>): Row[] {
  return (entry.tool_calls ?? []).map((call) => {
    const result = results.get(call.id);
    return {
      kind: "tool",
      id: entry.id,
      call: call.id,
      name: call.function.name,
      args: call.function.arguments,
      took_ms: result ? result.at_ms - entry.at_ms : null,
      result: result ? readResult(result.content) : null,
    };
  });
}

/** Reads the result of a tool; what it does not know is text. */
export function readResult(content: string): ToolResult {
  const value = parseJson(content);
  if (isDenial(value)) return { kind: "denial", sentence: value.sentence, verdict: value.verdict, rows: value.explanation };
  if (hasProposal(value)) return { kind: "proposal", id: value.proposal.id };
  return { kind: "text", text: value === null ? content : JSON.stringify(value, null, 2) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type DenialResult = { state: "denied"; verdict: Verdict; explanation: ItemRow[]; sentence: string };

function isDenial(value: unknown): value is DenialResult {
  return (
    isRecord(value) && value["state"] === "denied" && isRecord(value["verdict"]) && Array.isArray(value["explanation"]) && typeof value["sentence"] === "string"
  );
}

function hasProposal(value: unknown): value is { proposal: { id: string } } {
  return isRecord(value) && isRecord(value["proposal"]) && typeof value["proposal"]["id"] === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
