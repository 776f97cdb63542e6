// Positions of a query's words in a text, found as the station finds them: without case and without accents.

/** A piece of a text; `hit` pieces are what was looked for. */
export type Piece = { text: string; hit: boolean };

/** `words` are marked wherever they stand, `names` only as a whole: the 1 of `arm-1` is not looked for by itself. */
export type Terms = { words: ReadonlySet<string>; names: readonly (readonly string[])[] };

/** A letter or digit of any script. */
const WORD = /[\p{L}\p{N}]+/gu;
const ACCENTS = /\p{M}/gu;
/** A separator without a blank: it joins the words on both sides to one. */
const JOINED = /^[^\s]+$/u;

/**
 * The words of a query; what stands in double quotes is looked for word by word here, and as a phrase by the station.
 */
export function termsOf(query: string): Terms {
  const typed = query.split(/[\s"]+/u).map((part) => (part.match(WORD) ?? []).map(folded));
  const words = typed.flatMap((parts) => (parts.length === 1 ? parts : parts.filter((part) => part.length > 1)));
  return { words: new Set(words), names: typed.filter((parts) => parts.length > 1) };
}

/** The text in pieces that together are the text. */
export function pieces(text: string, terms: Terms): Piece[] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: folded(word),
    from: index,
    to: index + word.length,
  }));
  const found: Piece[] = [];
  let done = 0;
  for (let at = 0; at < words.length; at += 1) {
    // A name that was found may reach over the words that follow.
    const first = words[at];
    if (first === undefined || first.from < done) continue;
    const name = terms.names.find((parts) =>
      parts.every((part, place) => words[at + place]?.word === part && isJoined(text, words, at, place)),
    );
    const last = name === undefined ? (terms.words.has(first.word) ? first : undefined) : words[at + name.length - 1];
    if (last === undefined) continue;
    if (first.from > done) found.push({ text: text.slice(done, first.from), hit: false });
    found.push({ text: text.slice(first.from, last.to), hit: true });
    done = last.to;
  }
  if (done < text.length) found.push({ text: text.slice(done), hit: false });
  return found;
}

type Place = { word: string; from: number; to: number };

/** True if nothing blank parts the word at `place` of a name from the one before it. */
function isJoined(text: string, words: readonly Place[], at: number, place: number): boolean {
  const [before, here] = [words[at + place - 1], words[at + place]];
  return place === 0 || (before !== undefined && here !== undefined && JOINED.test(text.slice(before.to, here.from)));
}

function folded(word: string): string {
  return word.normalize("NFKD").replaceAll(ACCENTS, "").toLowerCase();
}
