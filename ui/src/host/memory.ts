// Texts that the browser keeps: for this desk, or for this tab over a reload. Where it keeps nothing, or has no room
// left, they last until the page is left: no setting is worth a window that stays empty.

/** Texts by their keys. */
export type Memory = {
  read: (key: string) => string | null;
  /** Null removes the text. False if it is gone with the page. */
  write: (key: string, text: string | null) => boolean;
  keys: () => readonly string[];
};

function memoryIn(storage: () => Storage): Memory {
  /** Values that could not be written, over what is still stored; null for what could not be removed. */
  const unsaved = new Map<string, string | null>();
  const stored = <T>(look: (storage: Storage) => T, otherwise: T): T => {
    try {
      return look(storage());
    } catch {
      // A browser that may not keep anything for a page refuses the storage itself.
      return otherwise;
    }
  };
  return {
    read: (key) => {
      const text = unsaved.get(key);
      return text === undefined ? stored((kept) => kept.getItem(key), null) : text;
    },
    write: (key, text) => {
      try {
        if (text === null) storage().removeItem(key);
        else storage().setItem(key, text);
        unsaved.delete(key);
        return true;
      } catch {
        // Refused, or full: it holds in this page all the same.
        unsaved.set(key, text);
        return false;
      }
    },
    keys: () => [...new Set([...stored(Object.keys, []), ...unsaved.keys()])],
  };
}

/** Kept on this computer, for every window of it. */
export const deskMemory = memoryIn(() => localStorage);

/** Kept for this tab of a browser, over a reload. */
export const tabMemory = memoryIn(() => sessionStorage);
