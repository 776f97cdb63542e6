/** A sentence of the station, whose names between backticks are code. */
export function CodeWords({ text }: { text: string }) {
  const parts = text.split("`");
  // A backtick that nothing closes is one of the text.
  if (parts.length % 2 === 0) return text;
  return parts.map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part));
}
