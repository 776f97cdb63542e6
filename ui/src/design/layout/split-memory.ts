// Sizes of the parts of the window, kept on this desk.

/** Each split keeps its sizes under this and its own name. */
const PREFIX = "quarterdeck.split.";

const listeners = new Set<() => void>();
let resets = 0;

/** The name under which a split keeps its sizes; the library puts more before it. */
export function memoryOf(id: string): string {
  return PREFIX + id;
}

/** Every split has the size again that it had before anybody moved it. */
export function resetLayout(): void {
  for (const key of Object.keys(localStorage)) if (key.includes(PREFIX)) localStorage.removeItem(key);
  resets += 1;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`: how often the layout has been reset. */
export function countResets(): number {
  return resets;
}

/** Calls `listener` after each reset; returns how to stop that. */
export function onReset(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
