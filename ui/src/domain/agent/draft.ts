// Unsent message of each conversation, kept over navigation and restart. Other screens may put a sentence there; only
// the operator sends it, and never to another agent than it was meant for.

import { useSyncExternalStore } from "react";
import { deskMemory } from "../../host/memory";

/** Element id of the operator's message field. */
export const COMPOSER_ID = "composer";

const KEY = "quarterdeck.draft";
/** Longer than anyone writes by hand; a pasted log stays out of the browser's small store (U-2309). */
const DRAFT_CHARS_MAX = 65_536;

const listeners = new Set<() => void>();
const suggestionListeners = new Set<() => void>();
/** The last suggestion that stood alone in a field, by the key of its draft. */
const suggested = new Map<string, string>();

/** Whom words are meant for: an agent, and one of its conversations; null is the one the station names. */
export type Addressed = { agent: string | null; conversation: string | null };

/** The draft as it stands. */
export function useDraft(to: Addressed): string {
  return useSyncExternalStore(subscribe, () => draftOf(to));
}

/** Keeps a draft. */
export function saveDraft(to: Addressed, text: string): void {
  const key = keyOf(to);
  // Once a field is empty, the same words in it are somebody's own.
  if (text === "") suggested.delete(key);
  // A full store keeps nobody from writing: the words are lost with the window then, and not before.
  deskMemory.write(key, text === "" ? null : text.slice(0, DRAFT_CHARS_MAX));
  for (const listener of listeners) listener();
}

/** Ends the draft of words that have been sent; what has been written in the meantime stays. */
export function endDraft(to: Addressed, sent: string): void {
  // Words are sent without the blanks around them.
  if (draftOf(to).trim() === sent.trim()) saveDraft(to, "");
}

/** Puts a sentence before the operator, who reads, changes and sends it; what they have written stays before it. */
export function suggest(to: Addressed, text: string): void {
  const [before, added] = [draftOf(to).trimEnd(), text.trimEnd()];
  if (before === "" || before === suggested.get(keyOf(to))) {
    saveDraft(to, text);
    // Nobody wrote it: the next suggestion may take its place.
    suggested.set(keyOf(to), added);
  } else if (before !== added && !before.endsWith(`\n${added}`)) {
    saveDraft(to, `${before}\n${text}`);
  }
  for (const listener of suggestionListeners) listener();
  const field = document.getElementById(COMPOSER_ID);
  field?.focus();
  // A dock that was closed is on screen by the next frame.
  if (field !== document.activeElement) requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
}

/** Calls `listener` with each suggestion, so that it is in sight; returns how to stop that. */
export function onSuggested(listener: () => void): () => void {
  suggestionListeners.add(listener);
  return () => suggestionListeners.delete(listener);
}

function draftOf(to: Addressed): string {
  return deskMemory.read(keyOf(to)) ?? "";
}

function keyOf({ agent, conversation }: Addressed): string {
  return conversation === null ? `${KEY}.${agent ?? ""}` : `${KEY}.${agent ?? ""}.${conversation}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
