// Numbers of topics as they were heard while somebody plots them: the station keeps no history of samples.

import type { TopicRow } from "../../../generated/bindings/TopicRow";
import type { NumberPoint } from "./plot-lanes";
import { idOf, type PlotField } from "./plot-fields";

/** The longest span at one value every two seconds, with room. */
const POINTS_MAX = 600;

/** Values by field; times are those of `performance.now`. */
export class TopicRecorder {
  readonly #points = new Map<string, readonly NumberPoint[]>();

  /** Takes in the topics as they were at local time `asked_ms`; only `fields` are kept. */
  note(topics: readonly TopicRow[], fields: readonly PlotField[], asked_ms: number): void {
    const wanted = new Set(fields.map(idOf));
    for (const id of this.#points.keys()) if (!wanted.has(id)) this.#points.delete(id);
    for (const field of fields) {
      if (field.kind !== "topic") continue;
      const topic = topics.find(({ key_expr }) => key_expr === field.topic);
      const value = topic?.fields.find(({ path }) => path === field.path)?.example;
      if (!topic || typeof value !== "number") continue;
      const kept = this.#points.get(idOf(field)) ?? [];
      const at_ms = asked_ms - topic.age_ms;
      if (at_ms <= (kept.at(-1)?.at_ms ?? -Infinity)) continue;
      this.#points.set(idOf(field), [...kept.slice(1 - POINTS_MAX), { at_ms, value }]);
    }
  }

  /** The values of a field, as ages at local time `local_ms`. */
  points(field: PlotField, local_ms: number): NumberPoint[] {
    return (this.#points.get(idOf(field)) ?? []).map(({ at_ms, value }) => ({ at_ms: at_ms - local_ms, value }));
  }
}
