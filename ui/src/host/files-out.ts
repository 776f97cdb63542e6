// Keeps the browser from opening a file that was dropped beside the place for it: the page, and STOP ALL with it, would
// be gone.

/** Refuses files that nothing on the page takes; returns how to stop that. */
export function keepFilesOut(): () => void {
  for (const kind of KINDS) addEventListener(kind, refuse);
  return () => {
    for (const kind of KINDS) removeEventListener(kind, refuse);
  };
}

const KINDS = ["dragover", "drop"] as const;

function refuse(event: DragEvent): void {
  // What takes files has said so by now: the window hears of the event last.
  if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "none";
}
