// What is being written to each agent, kept over navigation and restart. Others may put a sentence there; only the
// operator sends it, and never to another agent than it was meant for.

import { useSyncExternalStore } from "react";

/** Where the operator writes. */
export const COMPOSER_ID = "composer";

const KEY = "quarterdeck.draft";
/** Longer than anyone writes by hand; a pasted log stays out of the browser's small store (U-2309). */
const DRAFT_CHARS_MAX = 65_536;

const listeners = new Set<() => void>();

/** The draft as it stands. */
export function useDraft(agent: string | null): string {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(keyOf(agent)) ?? "");
}

/** Keeps a draft. */
export function saveDraft(agent: string | null, text: string): void {
  if (text === "") localStorage.removeItem(keyOf(agent));
  else localStorage.setItem(keyOf(agent), text.slice(0, DRAFT_CHARS_MAX));
  for (const listener of listeners) listener();
}

/** Puts a sentence before the operator, who reads, changes and sends it. */
export function suggest(agent: string | null, text: string): void {
  saveDraft(agent, text);
  document.getElementById(COMPOSER_ID)?.focus();
}

function keyOf(agent: string | null): string {
  return `${KEY}.${agent ?? ""}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
