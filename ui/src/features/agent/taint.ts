// Whether words from outside stand before the agent (P-21), as the transcript shows it. The station decides with the
// same rule; this only says so.

import type { EntryLine } from "../../bindings/EntryLine";
import { readWorldBlock } from "./evidence";

/** Since when, UTC milliseconds, and by what: a key of the world, or who wrote it. */
export type Taint = { since_ms: number; by: string };

/** The first words from outside after the newest message of a person at the desk. */
export function taintOf(entries: readonly EntryLine[]): Taint | null {
  const order = entries.findLast(({ kind, origin }) => kind === "user" && origin.startsWith("operator("));
  const after = entries.filter(({ id, epoch }) => epoch === (entries.at(-1)?.epoch ?? 0) && (order === undefined || id > order.id));
  const first = after.find(({ trust }) => trust === "text");
  return first === undefined ? null : { since_ms: first.at_ms, by: sourceOf(first) };
}

function sourceOf({ id, content, origin }: EntryLine): string {
  const parts = typeof content === "object" ? content.filter(({ trust }) => trust === "text") : [];
  const [key] = parts.flatMap(({ text }) => readWorldBlock(id, text));
  return key?.key ?? origin;
}
