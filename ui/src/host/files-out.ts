// Keeps the browser from opening a file that was dropped beside the place for it: the page, and STOP ALL with it, would
// be gone.

/** Refuses files that nothing on the page takes; returns how to stop that. */
export function keepFilesOut(): () => void {
  const refuse = (event: DragEvent) => {
    // What takes files has said so by now: this listener is the last one of the event.
    if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  for (const kind of ["dragover", "drop"] as const) addEventListener(kind, refuse);
  return () => {
    for (const kind of ["dragover", "drop"] as const) removeEventListener(kind, refuse);
  };
}
