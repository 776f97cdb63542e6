// Untrusted text in the agent's context (P-21), as the transcript shows it. The station decides with the same rule; the
// transcript only says so.

import type { EntryLine } from "../../generated/bindings/EntryLine";
import type { EpochReason } from "../../generated/bindings/EpochReason";
import { readWorldBlock } from "./evidence";

/** Since when, UTC milliseconds, and by what: a key of the world, or who wrote it. */
export type Taint = { since_ms: number; by: string };

/** The first untrusted text, or text written under its influence, that the agent is still shown. */
export function taintOf(entries: readonly EntryLine[]): Taint | null {
  const first = stillShown(entries).find(({ trust }) => trust === "text");
  return first === undefined ? null : { since_ms: first.at_ms, by: sourceOf(first) };
}

/** The entries since the conversation began anew, or readings were set aside; a summary stands for what it covers. */
function stillShown(entries: readonly EntryLine[]): readonly EntryLine[] {
  const begun = entries.findLastIndex((entry) => epochOf(entry) === "session_reset");
  const next = entries[begun + 1];
  const kept =
    begun >= 0 && next?.covers !== undefined
      ? entries.filter(({ id }) => id >= (next.covers?.to ?? 0))
      : entries.slice(begun + 1);
  const aside = kept.findLastIndex((entry) => epochOf(entry) === "set_aside");
  const summary = entries.findLast(({ covers }) => covers !== undefined);
  const covered = summary?.covers;
  return kept
    .slice(aside + 1)
    .filter(({ id, kind }) =>
      kind === "summary" ? id === summary?.id : covered === undefined || id < covered.from || id >= covered.to,
    );
}

function epochOf({ marker }: EntryLine): EpochReason | null {
  return typeof marker === "object" && "epoch" in marker ? marker.epoch.reason : null;
}

function sourceOf({ id, content, origin }: EntryLine): string {
  const parts = typeof content === "object" ? content.filter(({ trust }) => trust === "text") : [];
  const [key] = parts.flatMap(({ text }) => readWorldBlock(id, text));
  return key?.key ?? origin;
}
