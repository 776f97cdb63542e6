// Numbers that can be plotted: entries of the world, and fields of topics.

import type { TopicRow } from "../../../generated/bindings/TopicRow";
import type { WorldRow } from "../../../generated/bindings/WorldRow";
import { topicName } from "../ros-topic";

/** An entry of the world by its key, or a field of a topic by its key expression and path. */
export type PlotField =
  | { kind: "world"; key: string; unit: string | null }
  | { kind: "topic"; topic: string; path: string };

/** The name of a field among all. */
export function idOf(field: PlotField): string {
  return field.kind === "world" ? `world ${field.key}` : `topic ${field.topic} ${field.path}`;
}

/** The name of a field on screen. */
export function nameOf(field: PlotField): string {
  return field.kind === "world" ? field.key : `${topicName(field.topic)} ${field.path}`;
}

/** The unit of a field; a sample does not say one. */
export function unitOf(field: PlotField): string | null {
  return field.kind === "world" ? field.unit : null;
}

/** A field with the unit that its entry has now: it may have been chosen when that was another. */
export function withUnit(field: PlotField, rows: readonly WorldRow[]): PlotField {
  const row = field.kind === "world" ? rows.find(({ key }) => key === field.key) : undefined;
  return row === undefined ? field : { kind: "world", key: row.key, unit: row.unit };
}

/** Every number that is known now, entries of the world first. */
export function fieldsOf(rows: readonly WorldRow[], topics: readonly TopicRow[]): PlotField[] {
  const entries = rows
    .filter(({ value }) => typeof value === "number")
    .map(({ key, unit }): PlotField => ({ kind: "world", key, unit }))
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const places = topics.flatMap(({ key_expr, fields }) =>
    fields
      .filter(({ example }) => typeof example === "number")
      .map(({ path }): PlotField => ({ kind: "topic", topic: key_expr, path })),
  );
  return [...entries, ...places];
}

/** Fields whose name contains every word. */
export function foundFields(fields: readonly PlotField[], filter: string): readonly PlotField[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return fields.filter((field) => words.every((word) => nameOf(field).toLowerCase().includes(word)));
}

/** The condition of a rule; of a field that is no entry of the world there is none. */
export function predicateOf(field: PlotField, threshold: number, above: boolean): string | null {
  return field.kind === "world" ? `${field.key} ${above ? ">" : "<"} ${threshold}` : null;
}
