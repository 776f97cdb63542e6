// JSON as a person reads it.

/** A text, a bracket or a mark, or a word or number as it is written. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/** The text with line breaks and indents; as it is where it is no whole JSON. */
export function indented(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    // Not JSON: it is shown as it stands.
    return text;
  }
  return laidOut(text);
}

/** Written anew from its parsed values, a number of more than 16 digits, as a time in nanoseconds, would be another. */
function laidOut(json: string): string {
  let out = "";
  let depth = 0;
  let before = "";
  for (const [token] of json.matchAll(TOKENS)) {
    const closes = token === "}" || token === "]";
    const isFirst = before === "{" || before === "[";
    if (closes) depth -= 1;
    if (closes ? !isFirst : isFirst || before === ",") out += `\n${"  ".repeat(depth)}`;
    out += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth += 1;
    before = token;
  }
  return out;
}
