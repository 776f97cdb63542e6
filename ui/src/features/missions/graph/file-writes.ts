// Writes of mission files, each over the text that somebody has seen.

import { t } from "../../../locales/i18n";
import { type Host, HostError } from "../../../host/host";
import { aboutAgent, type Input, operation } from "../../../host/operations";
import type { FileText } from "./history";

/** An edit of a mission file that touches no other byte. */
export type MissionEdit = NonNullable<Input<"save_mission">["edits"]>[number];

/** The new text of a mission file, or edits of the one that is there. */
export type FileChange = { edits: MissionEdit[] } | { source: string };

/**
 * `of` is the file on the screen; null where the change counts no places in it. `agent` is that of the screen: another may
 * be shown by the time an edit has waited for the one before. `at_ms` is when a person asked.
 */
export type Asked = { id: string; change: FileChange; of: FileText | null; agent: string | null; at_ms: number };

/** The file before and after a change. */
type Written = { before: FileText | null; after: FileText };

/** Puts one text in the place of another; null is a file that is not there. */
export async function put(host: Host, agent: string | null, id: string, from: FileText | null, to: FileText | null) {
  if (to !== null) {
    const input = { mission_id: id, base_hash: from?.hash ?? null, source: to.source };
    await operation(host, "save_mission", aboutAgent("save_mission", input, agent));
  } else if (from !== null) {
    const input = { mission_id: id, base_hash: from.hash };
    await operation(host, "remove_mission", aboutAgent("remove_mission", input, agent));
  }
}

/** Changes the file as it stands now; `made` are the hashes that edits of this window were made of. */
export async function edited(host: Host, made: ReadonlyMap<string, string>, asked: Asked): Promise<Written> {
  const { id, change, of, agent } = asked;
  const now = await operation(host, "get_mission", aboutAgent("get_mission", { mission_id: id }, agent));
  const before = now.source === null || now.hash === null ? null : { hash: now.hash, source: now.source };
  // A whole text makes a missing file again; one that is there and cannot be read is left alone.
  const makesFile = "source" in change && now.flags.includes("file_missing");
  if (before === null && !makesFile) throw new HostError("mission_unreadable", t("missions.no_text"));
  // The third entry of a file that nobody here has seen may be anything.
  if (of !== null && before !== null && !descends(made, before.hash, of.hash)) {
    throw new HostError("file_changed", t("mission_form.file_changed"), before);
  }
  const input = { mission_id: id, base_hash: before?.hash ?? null, ...change };
  const { hash, source } = await operation(host, "save_mission", aboutAgent("save_mission", input, agent));
  return { before, after: { hash, source } };
}

/** The text that stands in a file, as the refusal of a write over another one tells it; null if it tells none. */
export function presentIn({ code, details }: HostError): FileText | null {
  if ((code !== "file_changed" && code !== "mission_exists") || typeof details !== "object" || details === null) {
    return null;
  }
  const { hash, source } = { hash: null, source: null, ...details };
  return typeof hash === "string" && typeof source === "string" ? { hash, source } : null;
}

/** The one value that edits give a file; undefined where they do something else too. */
export function valueOf(change: FileChange): string | undefined {
  if (!("edits" in change)) return undefined;
  const [edit, ...more] = change.edits;
  if (edit === undefined || more.length > 0) return undefined;
  if ("set" in edit) return edit.set.key;
  return "replace_entry" in edit ? `${edit.replace_entry.key} ${edit.replace_entry.index}` : undefined;
}

/** True if edits of this window led from the file `of` to the one with `hash`. */
function descends(made: ReadonlyMap<string, string>, hash: string, of: string): boolean {
  let at: string | undefined = hash;
  // An edit that is taken back by another one makes a circle.
  for (let steps = 0; at !== undefined && steps <= made.size; steps += 1) {
    if (at === of) return true;
    at = made.get(at);
  }
  return false;
}
