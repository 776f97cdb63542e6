// Line ends of a text that is edited: an editor has one kind of them, and a file keeps its own (MI-04).

/** The text as an editor holds it, every line ended by LF. */
export function plainEnds(text: string): string {
  return text.replace(/\r\n?/gu, "\n");
}

/** A text from an editor with the line ends of `file`: CR LF where every line of it ends so. */
export function endedLike(file: string, edited: string): string {
  // Taken back to what it was, a file with ends of both kinds has them again.
  if (edited === plainEnds(file)) return file;
  const isWindows = file.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/u.test(file);
  return isWindows ? edited.replaceAll("\n", "\r\n") : edited;
}
