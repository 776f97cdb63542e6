import { type DragEvent, useState } from "react";

/** Files that were dropped, and folders where they are taken apart. */
type OnFiles = (files: readonly File[], folders: readonly FileSystemDirectoryEntry[]) => void;

/**
 * Files dropped on an element, while `onFiles` takes any; what else is dragged passes through it. Without `takesFolders` a
 * folder is one of the files, and cannot be read.
 */
export function useFileDrop(onFiles: OnFiles | null, { takesFolders = false } = {}) {
  const [over, setOver] = useState(false);
  const takes = (event: DragEvent) => onFiles !== null && event.dataTransfer.types.includes("Files");
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      setOver(false);
      const { files, folders } = takesFolders ? apart(event.dataTransfer) : { files: [...event.dataTransfer.files] };
      onFiles?.(files, folders ?? []);
    },
  };
  return { over, handlers };
}

/** Files and folders apart, at once: the browser empties the drop as soon as its handler has ended. */
function apart(transfer: DataTransfer): { files: File[]; folders?: FileSystemDirectoryEntry[] } {
  const items = [...transfer.items].map((item) => ({ item, entry: item.webkitGetAsEntry() }));
  const folders = items.flatMap(({ entry }) => (entry !== null && isFolder(entry) ? [entry] : []));
  if (folders.length === 0) return { files: [...transfer.files] };
  const files = items.flatMap(({ item, entry }) => (entry?.isDirectory === true ? [] : [item.getAsFile()]));
  return { files: files.filter((file) => file !== null), folders };
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
