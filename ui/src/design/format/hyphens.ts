// Places at which the long words of narrow tables may break: not every browser has a dictionary for them.

const SOFT = "\u00AD";
/** Behind these parts of German compounds. */
const JOINTS =
  /(?<=Arbeits|Ziel|Geschwindig|geschwindig|Dreh|Sperr|Beschleu|Anhalte|Gelenk|Annäherungs|Befehls)(?=\p{Ll}{3})/gu;

/** The text with soft hyphens, which show only where a line ends. */
export function hyphenated(text: string): string {
  return text.replaceAll(JOINTS, SOFT);
}
