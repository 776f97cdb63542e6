// Positions of a query's words in a text, found as the station finds them: without case and without accents.

/** A piece of a text; `hit` pieces are what was looked for. */
export type Piece = { text: string; hit: boolean };

/** A letter or digit of any script. */
const WORD = /[\p{L}\p{N}]+/gu;
const ACCENTS = /\p{M}/gu;

/**
 * The words of a query; what stands in double quotes is looked for word by word here, and as a phrase by the station.
 */
export function termsOf(query: string): ReadonlySet<string> {
  return new Set((query.match(WORD) ?? []).map(folded));
}

/** The text in pieces that together are the text. */
export function pieces(text: string, terms: ReadonlySet<string>): Piece[] {
  const found: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(WORD)) {
    if (!terms.has(folded(match[0]))) continue;
    if (match.index > done) found.push({ text: text.slice(done, match.index), hit: false });
    found.push({ text: match[0], hit: true });
    done = match.index + match[0].length;
  }
  if (done < text.length) found.push({ text: text.slice(done), hit: false });
  return found;
}

function folded(word: string): string {
  return word.normalize("NFKD").replaceAll(ACCENTS, "").toLowerCase();
}
