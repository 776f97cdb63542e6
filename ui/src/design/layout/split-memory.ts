// Sizes of the parts of the window, kept on this desk.

import { deskMemory } from "../../host/memory";

/** Each split keeps its sizes under this and its own name. */
const PREFIX = "quarterdeck.split.";

const listeners = new Set<() => void>();
let resets = 0;

/** The name under which a split keeps its sizes; the library puts more before it. */
export function memoryOf(id: string): string {
  return PREFIX + id;
}

/** The place where the library keeps the sizes. */
export const SIZES = {
  getItem: deskMemory.read,
  setItem: (key: string, text: string): void => void deskMemory.write(key, text),
};

/** Every split has the size again that it had before anybody moved it. */
export function resetLayout(): void {
  for (const key of deskMemory.keys()) if (key.includes(PREFIX)) deskMemory.write(key, null);
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
