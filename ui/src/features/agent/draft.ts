// What is being written, kept over navigation and restart. Others may put a sentence there; only the operator sends it.

import { useSyncExternalStore } from "react";

const KEY = "quarterdeck.draft";
/** Longer than anyone writes by hand; a pasted log stays out of the browser's small store (U-2309). */
const DRAFT_CHARS_MAX = 65_536;

const listeners = new Set<() => void>();

/** The draft as it stands. */
export function useDraft(): string {
  return useSyncExternalStore(subscribe, loadDraft);
}

/** The draft of the last visit. */
export function loadDraft(): string {
  return localStorage.getItem(KEY) ?? "";
}

/** Keeps a draft. */
export function saveDraft(text: string): void {
  if (text === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, text.slice(0, DRAFT_CHARS_MAX));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
