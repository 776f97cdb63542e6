/** A field of a record's subject with its value; text that belongs to no field has no key. */
export type SubjectPart = { readonly key: string | null; readonly text: string };

const FIELD = /(?:^|\s)(?<key>[a-z][a-z_]*)=/gu;

/** The subject of a record of the audit, `robot=rover-1 reason=looked`, in its fields; one text if it has none. */
export function subjectParts(detail: string): readonly SubjectPart[] {
  const fields = [...detail.matchAll(FIELD)].map(({ 0: whole, 1: key = "", index }) => ({
    key,
    from: index,
    begin: index + whole.length,
  }));
  // A reason is a person's own text: what looks like a field in it is none.
  const reason = fields.findIndex(({ key }) => key === "reason");
  const named = reason === -1 ? fields : fields.slice(0, reason + 1);
  const before = detail.slice(0, named[0]?.from).trim();
  // Words before the first field are a sentence, in which what looks like a field is none.
  if (named.length === 0 || before.includes(" ")) return [{ key: null, text: detail }];
  const parts = named.map(({ key, begin }, place) => ({
    key,
    text: plain(detail.slice(begin, named[place + 1]?.from).trim()),
  }));
  return before === "" ? parts : [{ key: null, text: before }, ...parts];
}

/** `["arm-1","rover-1"]` as `arm-1, rover-1`, `"arm-1"` as `arm-1`; anything else as it stands. */
function plain(text: string): string {
  if (!/^["[]/u.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    return all.every((one) => typeof one === "string" || typeof one === "number") ? all.join(", ") : text;
  } catch {
    // Not JSON: it is shown as it stands.
    return text;
  }
}
