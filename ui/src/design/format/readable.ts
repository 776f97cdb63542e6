// Records of tools are JSON. In a list of results they are read as words.

/** An object or a list, or a part of one that an excerpt has cut out. */
const LOOKS_LIKE_JSON = /^\s*[[{]|"\s*:/u;

/** Text for one line of a list: JSON reads as `robot arm-1, state armed`, and blank space is one blank. */
export function readable(text: string): string {
  const words = LOOKS_LIKE_JSON.test(text) ? withoutSyntax(text) : text;
  return words.replaceAll(/\s+/gu, " ").trim();
}

function withoutSyntax(json: string): string {
  return (
    json
      // A string in a string has its quotes and line ends escaped.
      .replaceAll(/\\+"/gu, '"')
      .replaceAll(/\\+n/gu, " ")
      .replaceAll(/"(\w*)"\s*:/gu, (_, key: string) => `${key.replaceAll("_", " ")} `)
      .replaceAll(/[[\]{}"]/gu, " ")
      .replaceAll(/\s*,\s*/gu, ", ")
      .replaceAll(/(, )+(?=, |$)/gu, "")
  );
}
