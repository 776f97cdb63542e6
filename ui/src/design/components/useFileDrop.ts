import { type DragEvent, useState } from "react";

/** Files dropped on an element, while `onFiles` takes any; what else is dragged passes through it. */
export function useFileDrop(onFiles: ((files: readonly File[]) => void) | null) {
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
      onFiles?.([...event.dataTransfer.files]);
    },
  };
  return { over, handlers };
}
