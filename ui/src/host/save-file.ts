// Hands a text to the browser as a download.

const TYPES: Readonly<Record<string, string>> = { json: "application/json", md: "text/markdown" };

/** WebKit reads the text some time after the click; an address that is revoked before makes an empty file, ms. */
const KEPT_MS = 60_000;

/** Saves `text` under a name; its ending says what it is. */
export function saveFile(name: string, text: string): void {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain";
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
