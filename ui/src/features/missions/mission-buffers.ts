// Texts of missions that somebody is changing in this window. They outlive the screen, so that a look elsewhere loses nothing.

import { useSyncExternalStore } from "react";
import type { EditorMemory } from "../../design/editor/TextEditor";
import { useLive } from "../../domain/station/useLive";

/** The text that an edit began from, as the station names it, and the text it has become. */
export type Buffer = { base: { source: string; hash: string }; text: string };

const buffers = new Map<string, Buffer>();
/** Memory of the editor of each buffer at the moment it was closed: as long as a text can be lost, a step back must be there. */
const memories = new Map<string, EditorMemory>();
const listeners = new Set<() => void>();

/** Names the buffer of a mission: two agents may have missions with the same id. */
export function bufferKey(agent: string | null, id: string): string {
  return `${agent ?? ""} ${id}`;
}

/** The name of the buffer of a mission of the agent that this window shows. */
export function useBufferKey(id: string): string {
  return bufferKey(
    useLive((store) => store.agent),
    id,
  );
}

/** The buffer with this name; none while nobody edits its mission. */
export function useBuffer(key: string): Buffer | undefined {
  return useSyncExternalStore(listen, () => buffers.get(key));
}

/** Memory for the editor of a buffer, one and the same until the edit ends. */
export function editorMemory(key: string): EditorMemory | undefined {
  return memories.get(key);
}

export function setBuffer(key: string, buffer: Buffer | null): void {
  if (buffer === null) {
    buffers.delete(key);
    memories.delete(key);
  } else {
    buffers.set(key, buffer);
    if (!memories.has(key)) memories.set(key, { state: undefined });
  }
  for (const listener of listeners) listener();
}

/** The text that was sent is saved now; what was typed meanwhile stays, not saved. */
export function setSaved(key: string, base: Buffer["base"]): void {
  const buffer = buffers.get(key);
  if (buffer !== undefined) setBuffer(key, { base, text: buffer.text });
}

/** Ends an edit that holds nothing which is saved nowhere. */
export function dropClean(key: string): void {
  const buffer = buffers.get(key);
  if (buffer !== undefined && !isDirty(buffer)) setBuffer(key, null);
}

/** True if the buffer holds something that is saved nowhere. */
export function isDirty({ base, text }: Buffer): boolean {
  return text !== base.source;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
