// The stored conversation as rows of the dock: who said what, and what each tool call came to.

import type { Content } from "../../generated/bindings/Content";
import type { EntryLine } from "../../generated/bindings/EntryLine";
import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { Marker } from "../../generated/bindings/Marker";
import type { ModelName } from "../../generated/bindings/ModelName";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { Verdict } from "../../generated/bindings/Verdict";
import { codeText, t } from "../../locales/i18n";
import { match } from "../../host/variants";
import { isForeign, readJson } from "./tool-words";
import { citedIn, type Evidence, readWorldBlock, readWorldRows } from "./evidence";

/** Result of a tool call. */
export type ToolResult =
  | { kind: "denial"; sentence: string; verdict: Verdict; rows: readonly ItemRow[]; command: RawCommand | null }
  | { kind: "asked" }
  | { kind: "failed"; text: string }
  | { kind: "text"; text: string; value: unknown; source: string | null };

/** One row of the dock. */
export type Row =
  | { kind: "operator"; id: number; at_ms: number; text: string; who: string }
  | { kind: "quoted"; id: number; at_ms: number; text: string; source: string }
  | {
      kind: "agent";
      id: number;
      at_ms: number;
      text: string;
      turn: string | null;
      model: ModelName | null;
      evidence: readonly Evidence[];
    }
  | { kind: "proposal"; id: string; at_ms: number }
  | {
      kind: "tool";
      id: number;
      at_ms: number;
      call: string;
      name: string;
      args: string;
      took_ms: number | null;
      result: ToolResult | null;
    }
  | { kind: "summary"; id: number; at_ms: number; text: string; shown: boolean }
  | { kind: "system"; id: number; at_ms: number; text: string; more: string | null };

/** The note a desk puts in front of what an operator typed; it is for the model, not for the reader. */
const DESK_NOTE = /^\[Desk [^\]]*\] /;
/** Origin of a message that a person wrote; the group is the name. */
const OPERATOR = /^operator\((.*)\)$/;

/** A proposal's time is given in whole seconds; what was said in the same second led to it. */
const WITHIN_SECOND_MS = 999;

/** Rows in order. What the station added for the model only is left out. */
export function toRows(entries: readonly EntryLine[]): Row[] {
  const results = new Map(
    entries.flatMap((entry) => (entry.tool_call_id === undefined ? [] : [[entry.tool_call_id, entry] as const])),
  );
  let known: Evidence[] = [];
  const newest = entries.findLast(({ kind }) => kind === "summary")?.id;
  const rows = entries.flatMap((entry) => {
    // The agent is shown the world anew with each message; what it saw before says nothing of now.
    known = entry.kind === "user" ? [] : [...known, ...worldIn(entry)];
    return rowsOf(entry, results).map((row) =>
      row.kind === "agent" ? { ...row, evidence: citedIn(row.text, known) } : row,
    );
  });
  // Only the newest summary is what the agent is shown; the older ones stay in the file.
  return rows.map((row) => (row.kind === "summary" ? { ...row, shown: row.id === newest } : row));
}

/** World state in an entry that the agent was shown. */
function worldIn(entry: EntryLine): Evidence[] {
  const content = textOf(entry.content);
  if (entry.kind === "volatile") return readWorldBlock(entry.id, content);
  // No other tool is the station's word on the world, whatever its result looks like.
  if (entry.kind !== "tool_result" || entry.origin !== "tool(list_world_state)") return [];
  const value = readJson(content);
  return readWorldRows(entry.id, isRecord(value) ? value["items"] : []);
}

/** Proposals where they were made. The conversation itself learns of one only when it is decided. */
export function withProposals(
  rows: readonly Row[],
  proposals: readonly Pick<Proposal, "id" | "created_at" | "session">[],
  shown: string,
): Row[] {
  const first_ms = rows[0]?.at_ms ?? Number.POSITIVE_INFINITY;
  const made = proposals
    // Older stations do not say where a proposal was made; one too many is better than one that nobody sees.
    .filter(({ session }) => session === undefined || session === shown)
    .map(({ id, created_at }): Row => ({ kind: "proposal", id, at_ms: created_at * 1_000 + WITHIN_SECOND_MS }))
    .filter(({ at_ms }) => at_ms >= first_ms);
  return [...rows, ...made].sort((a, b) => a.at_ms - b.at_ms);
}

function rowsOf(entry: EntryLine, results: ReadonlyMap<string, EntryLine>): Row[] {
  const { id, at_ms } = entry;
  const content = textOf(entry.content);
  switch (entry.kind) {
    case "user":
      return [userRow(entry, content)];
    case "assistant":
      return [...said(entry, content), ...toolRows(entry, results)];
    case "marker":
      return markerRows(entry);
    case "nudge":
      return [{ kind: "system", id, at_ms, text: t("agent.nudge"), more: content }];
    case "summary":
      return [{ kind: "summary", id, at_ms, text: content, shown: false }];
    case "tool_result":
    case "volatile":
      return [];
  }
}

/** Words of the agent, if there are any. */
function said({ id, at_ms, turn, model }: EntryLine, text: string): Row[] {
  return text.trim() === ""
    ? []
    : [{ kind: "agent", id, at_ms, text, turn: turn ?? null, model: model ?? null, evidence: [] }];
}

/** The words of a line, its parts one under the other. */
function textOf(content: Content | undefined): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : content.map(({ text }) => text).join("\n");
}

/** Row of a user entry: a person's message, quoted untrusted text, or a notice of the station to the agent. */
function userRow({ id, at_ms, trust, origin }: EntryLine, content: string): Row {
  if (trust === "text") return { kind: "quoted", id, at_ms, text: content, source: origin };
  const who = OPERATOR.exec(origin)?.[1];
  if (who === undefined) return { kind: "system", id, at_ms, text: content, more: null };
  return { kind: "operator", id, at_ms, text: content.replace(DESK_NOTE, ""), who };
}

/** Rows of a note of the loop; the words of a reply that was cut off stay with it. */
function markerRows(entry: EntryLine): Row[] {
  const { id, at_ms, marker } = entry;
  if (marker === undefined) return [];
  const [partial, text] = noted(marker);
  return [...said(entry, partial), { kind: "system", id, at_ms, text, more: null }];
}

/** The last words of the model, if the note is about any, and the note. */
function noted(marker: Marker): [string, string] {
  if (typeof marker === "string") return ["", t(`marker.${marker}`)];
  return match<Exclude<Marker, string>, [string, string]>(marker, {
    cancelled: ({ partial }) => [partial, t("agent.cancelled")],
    cut_by_length: ({ partial }) => [partial, t("agent.cut")],
    refused: ({ partial }) => [partial, t("marker.refused")],
    epoch: ({ reason }) => [
      "",
      reason === "session_reset" ? t("agent.reset") : t("marker.epoch", { reason: codeText("epoch_reason", reason) }),
    ],
    mask_line: () => ["", t("marker.mask_line")],
  });
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
      result: result ? resultOf(result, call.function) : null,
    };
  });
}

/** An error is one whatever it says; words from elsewhere keep their origin. */
function resultOf(entry: EntryLine, called: { name: string; arguments: string }): ToolResult {
  const content = textOf(entry.content);
  // Another server could write what reads like a verdict of the station, or a request for approval.
  const read = isForeign(called.name) ? readText(content) : readResult(content, called.arguments);
  if (read.kind !== "text") return read;
  if (entry.is_error === true) return { kind: "failed", text: read.text };
  return { ...read, source: entry.trust === "text" ? entry.origin : null };
}

/** Reads the result of a tool called with `args`; what it does not know is text. */
export function readResult(content: string, args: string): ToolResult {
  const value = readJson(content);
  if (isDenial(value)) {
    return {
      kind: "denial",
      sentence: value.sentence,
      verdict: value.verdict,
      rows: value.explanation,
      command: readCommand(args),
    };
  }
  return hasProposal(value) ? { kind: "asked" } : readText(content);
}

function readText(content: string): Extract<ToolResult, { kind: "text" }> {
  const value = readJson(content);
  if (isPutAway(value))
    return {
      kind: "text",
      text: `${value.head}\n${t("tool.put_away", { bytes: value.bytes, path: value.path })}\n${value.tail}`,
      value,
      source: null,
    };
  return { kind: "text", text: value === null ? content : JSON.stringify(value, null, 2), value, source: null };
}

/** The command that was asked for. The station has read it before; here only its outline is checked. */
function readCommand(args: string): RawCommand | null {
  const value = readJson(args);
  return isCommand(value) ? value : null;
}

function isCommand(value: unknown): value is RawCommand {
  return (
    isRecord(value) &&
    typeof value["robot"] === "string" &&
    typeof value["actuator"] === "string" &&
    isRecord(value["motion"])
  );
}

type DenialResult = { state: "denied"; verdict: Verdict; explanation: ItemRow[]; sentence: string };

function isDenial(value: unknown): value is DenialResult {
  return (
    isRecord(value) &&
    value["state"] === "denied" &&
    isRecord(value["verdict"]) &&
    Array.isArray(value["explanation"]) &&
    typeof value["sentence"] === "string"
  );
}

/** The two ends of an output that was too long for a conversation (H-20). */
type PutAway = { head: string; tail: string; path: string; bytes: number };

function isPutAway(value: unknown): value is PutAway {
  return (
    isRecord(value) &&
    typeof value["head"] === "string" &&
    typeof value["tail"] === "string" &&
    typeof value["path"] === "string" &&
    typeof value["bytes"] === "number"
  );
}

function hasProposal(value: unknown): boolean {
  return isRecord(value) && isRecord(value["proposal"]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
