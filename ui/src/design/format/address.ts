/** The words in a part of the address; a router may have decoded them already. */
export function wordsFrom(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Decoded already, with a percent sign left.
    return part;
  }
}
