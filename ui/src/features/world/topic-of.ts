// The topic whose sample stands for a key expression.

import type { TopicRow } from "../../generated/bindings/TopicRow";

/** The first topic the pattern names; `*` stands for one chunk, `**` for any number of them, `$*` for a part of one. */
export function topicOf(topics: readonly TopicRow[], pattern: string): TopicRow | null {
  const chunks = pattern.trim().split("/");
  return topics.find(({ key_expr }) => includes(chunks, key_expr.split("/"))) ?? null;
}

function includes([chunk, ...pattern]: readonly string[], topic: readonly string[]): boolean {
  if (chunk === undefined) return topic.length === 0;
  if (chunk === "**")
    return includes(pattern, topic) || (topic.length > 0 && includes([chunk, ...pattern], topic.slice(1)));
  const [head, ...rest] = topic;
  return head !== undefined && isLike(chunk, head) && includes(pattern, rest);
}

function isLike(chunk: string, head: string): boolean {
  if (chunk === "*") return true;
  const [start = "", ...parts] = chunk.split("$*");
  if (parts.length === 0) return chunk === head;
  const end = parts.at(-1) ?? "";
  return head.startsWith(start) && head.endsWith(end) && head.length >= start.length + end.length;
}
