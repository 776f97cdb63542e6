// JSON as a person reads it.

/** The text with line breaks and indents; as it is where it is no whole JSON. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
