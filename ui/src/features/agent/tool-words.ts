// A tool call in a line: what is done, to what, and what came of it.

import { isResultTable } from "./result-table";
import type { ToolResult } from "./transcript-rows";
import { t } from "../../locales/i18n";

/** Arguments that name what a call is about, the most telling first. */
const TARGETS = [
  "robot",
  "mission_id",
  "key",
  "subject",
  "id",
  "name",
  "operation",
  "path",
  "query",
  "topic",
  "prefix",
] as const;
/** More of a target or of a result does not fit the line. */
const LINE_CHARS = 40;

/** True for a tool of another server, `server__tool`; no operation of the station is named like that. */
export function isForeign(name: string): boolean {
  return name.includes("__");
}

/** `send_command` as "send command"; a tool of another server says which. */
export function verbOf(name: string): string {
  const [server, tool] = isForeign(name)
    ? [name.slice(0, name.indexOf("__")), name.slice(name.indexOf("__") + 2)]
    : [null, name];
  const words = tool.replaceAll("_", " ");
  return server === null ? words : t("tool.of_server", { tool: words, server });
}

/** Target of a call; empty where none of its arguments names one. */
export function targetOf(args: unknown): string {
  const fields = readArgs(args);
  const named = TARGETS.map((name) => fields[name]).find((value) => typeof value === "string" && value !== "");
  return typeof named === "string" ? shortened(named) : "";
}

/** Result of a call, in a few words. */
export function resultText(result: ToolResult): string {
  switch (result.kind) {
    case "denial":
      return t("tool.denied");
    case "asked":
      return t("tool.asked");
    case "failed":
      return t("tool.failed");
    case "text":
      return valueText(result.value);
  }
}

function valueText(value: unknown): string {
  if (typeof value !== "object" || value === null) return t("tool.done");
  const fields = value as Record<string, unknown>;
  const items = isResultTable(fields["items"]) ? fields["items"].rows : fields["items"];
  if (Array.isArray(items)) return t("tool.items", { count: items.length });
  const word = [fields["message"], fields["state"]].find((text) => typeof text === "string");
  return typeof word === "string" ? shortened(word) : t("tool.done");
}

/** The arguments as fields, whether they came as JSON text or as a value. */
export function readArgs(args: unknown): Record<string, unknown> {
  const value = typeof args === "string" ? readJson(args) : args;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The value of a text in JSON; null if it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A text that fits a line. */
export function shortened(text: string): string {
  // By code points: half of a pair is no letter.
  const letters = Array.from(text.slice(0, 2 * LINE_CHARS + 2));
  return letters.length > LINE_CHARS ? `${letters.slice(0, LINE_CHARS).join("")}…` : text;
}
