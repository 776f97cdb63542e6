// Names that can be put into a message after an @.

/** A name, and what kind of thing has it. */
export type Mention = { name: string; kind: "robot" | "mission" | "key" };

/** More of them are no help while writing. */
const OFFERED_MAX = 8;

/** The word after an @ that the caret stands behind, and where the @ is. */
export function mentionAt(text: string, caret: number): { from: number; word: string } | null {
  // An @ within a word is part of an address, and no mention.
  const found = /(?:^|\s)@([\w.-]*)$/.exec(text.slice(0, caret));
  const word = found?.[1];
  return word === undefined ? null : { from: caret - word.length - 1, word: word.toLowerCase() };
}

/** The names that hold the word, those that begin with it first. */
export function mentioned(word: string, names: readonly Mention[]): Mention[] {
  const place = ({ name }: Mention) => name.toLowerCase().indexOf(word);
  return names
    .filter((mention) => place(mention) >= 0)
    .toSorted((a, b) => Math.sign(place(a)) - Math.sign(place(b)))
    .slice(0, OFFERED_MAX);
}

/**
 * The text with the name in the place of the @ and its word, and where the caret then is. The interpreter wants the
 * bare name.
 */
export function withMention(
  text: string,
  { from, word }: { from: number; word: string },
  name: string,
): { text: string; caret: number } {
  const rest = text.slice(from + 1 + word.length);
  const put = rest.startsWith(" ") ? name : `${name} `;
  return { text: text.slice(0, from) + put + rest, caret: from + name.length + 1 };
}
