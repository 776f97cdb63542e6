// What was being written, kept over navigation and restart.

const KEY = "quarterdeck.draft";
/** Longer than anyone writes by hand; a pasted log stays out of the browser's small store (U-2309). */
const DRAFT_CHARS_MAX = 65_536;

/** The draft of the last visit. */
export function loadDraft(): string {
  return localStorage.getItem(KEY) ?? "";
}

/** Keeps a draft. */
export function saveDraft(text: string): void {
  if (text === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, text.slice(0, DRAFT_CHARS_MAX));
}
