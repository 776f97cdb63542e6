// What somebody plots, kept on this desk.

import { deskMemory } from "../../../host/memory";
import { idOf, type PlotField } from "./plot-fields";

const KEY = "quarterdeck.plot";
/** More lines than anybody tells apart. */
export const FIELDS_MAX = 12;
/** Spans of time that can be chosen, milliseconds. */
export const SPANS_MS = [60_000, 300_000, 900_000] as const;

/** The fields of a plot in the order in which they were added, and its span of time. */
export type Plot = { fields: readonly PlotField[]; span_ms: number };

/** Nothing, over five minutes. */
export const EMPTY: Plot = { fields: [], span_ms: 300_000 };

/** Reads what was kept; what is of another form is left out. */
export function readPlot(text: string | null): Plot {
  const kept = parsed(text);
  const fields = Array.isArray(kept["fields"]) ? kept["fields"].flatMap(fieldOf).slice(0, FIELDS_MAX) : [];
  const span_ms = SPANS_MS.find((span) => span === kept["span_ms"]) ?? EMPTY.span_ms;
  return { fields, span_ms };
}

/** The plot of this desk. */
export function keptPlot(): Plot {
  return readPlot(deskMemory.read(KEY));
}

/** Keeps a plot. */
export function keepPlot(plot: Plot): void {
  deskMemory.write(KEY, JSON.stringify(plot));
}

/** The same plot with a field, or without it if it has it; a full plot stays as it is. */
export function toggled(plot: Plot, field: PlotField): Plot {
  const others = plot.fields.filter((other) => idOf(other) !== idOf(field));
  if (others.length < plot.fields.length) return { ...plot, fields: others };
  return others.length >= FIELDS_MAX ? plot : { ...plot, fields: [...others, field] };
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    // Changed by hand, or of another version: nothing is plotted.
    return {};
  }
}

function fieldOf(value: unknown): PlotField[] {
  if (typeof value !== "object" || value === null) return [];
  const { kind, key, unit, topic, path }: Record<string, unknown> = { ...value };
  if (kind === "world" && typeof key === "string") {
    return [{ kind, key, unit: typeof unit === "string" ? unit : null }];
  }
  if (kind === "topic" && typeof topic === "string" && typeof path === "string") return [{ kind, topic, path }];
  return [];
}
