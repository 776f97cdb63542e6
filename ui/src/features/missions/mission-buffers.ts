// Texts of missions that somebody is changing in this window. They outlive the screen, so that a look elsewhere loses nothing.

import { useSyncExternalStore } from "react";

/** The text that an edit began from, as the station names it, and the text it has become. */
export type Buffer = { base: { source: string; hash: string }; text: string };

const buffers = new Map<string, Buffer>();
const listeners = new Set<() => void>();

/** The buffer of a mission; none while nobody edits it. */
export function useBuffer(id: string): Buffer | undefined {
  return useSyncExternalStore(listen, () => buffers.get(id));
}

export function setBuffer(id: string, buffer: Buffer | null): void {
  if (buffer === null) buffers.delete(id);
  else buffers.set(id, buffer);
  for (const listener of listeners) listener();
}

/** The text that was sent is saved now; what was typed meanwhile stays, not saved. */
export function setSaved(id: string, base: Buffer["base"]): void {
  const buffer = buffers.get(id);
  if (buffer !== undefined) setBuffer(id, { base, text: buffer.text });
}

/** True if the buffer holds something that is saved nowhere. */
export function isDirty({ base, text }: Buffer): boolean {
  return text !== base.source;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
