// Words that grow, as a listener should hear them: sentence by sentence, never piece by piece (U-912).

/** The end of a sentence or of a line. A blank has to follow: the point in "0.5 m" ends nothing. */
const END = /[.!?…:]["”)\]]*\s|\n/g;

/**
 * The sentences of `text` that are finished, from place `from` on, and the place behind them; all of it once it is
 * `whole`.
 */
export function finished(text: string, from: number, whole: boolean): { said: string; upTo: number } {
  if (whole) return { said: text.slice(from).trim(), upTo: text.length };
  const rest = text.slice(from);
  let end = 0;
  for (const match of rest.matchAll(END)) end = match.index + match[0].length;
  return { said: rest.slice(0, end).trim(), upTo: from + end };
}
