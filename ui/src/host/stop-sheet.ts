// The way from a screen to the stop's own root, which no screen may import: it opens there what stands about open
// stops.

const listeners = new Set<() => void>();

/** Shows what became of the open stops, and how to release them. */
export function openStopSheet(): void {
  for (const listener of listeners) listener();
}

/** Calls `listener` each time somebody asks for it; returns how to stop that. */
export function onStopSheetAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
