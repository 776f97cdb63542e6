// Numbers of topics as they were heard while somebody plots them: the station keeps no history of samples.

import type { TopicRow } from "../../../generated/bindings/TopicRow";
import type { NumberPoint } from "./plot-lanes";
import { idOf, type PlotField } from "./plot-fields";

/** Time in which every value that was heard is kept: the shortest span. */
const FINE_MS = 60_000;
/** Ten values a second in that time, with room. */
const FINE_MAX = 800;
/** Older values are kept this far apart. */
const COARSE_MS = 2_000;
/** The longest span of those, with room. */
const COARSE_MAX = 600;

/** Kept values of a field, oldest first, and the message that brought the newest of it. */
type Kept = { coarse: NumberPoint[]; fine: NumberPoint[]; samples: number };

/** Values by field; times are those of `performance.now`. */
export class TopicRecorder {
  readonly #kept = new Map<string, Kept>();

  /** Takes in topics as they were at local time `asked_ms`; only `fields` are kept. */
  note(topics: readonly TopicRow[], fields: readonly PlotField[], asked_ms: number): void {
    const wanted = new Set(fields.map(idOf));
    for (const id of this.#kept.keys()) if (!wanted.has(id)) this.#kept.delete(id);
    for (const field of fields) {
      if (field.kind !== "topic") continue;
      const topic = topics.find(({ key_expr }) => key_expr === field.topic);
      const value = topic?.fields.find(({ path }) => path === field.path)?.example;
      if (!topic || typeof value !== "number") continue;
      const kept = this.#kept.get(idOf(field)) ?? { coarse: [], fine: [], samples: -1 };
      const at_ms = asked_ms - topic.age_ms;
      const newest = kept.fine.at(-1)?.at_ms ?? kept.coarse.at(-1)?.at_ms ?? -Infinity;
      // The way of an answer takes a while, so that one message may seem to have come at two times.
      if (at_ms <= newest || topic.samples === kept.samples) continue;
      kept.samples = topic.samples;
      kept.fine.push({ at_ms, value });
      thin(kept, at_ms);
      this.#kept.set(idOf(field), kept);
    }
  }

  /** The values of a field, as ages at local time `local_ms`. */
  points(field: PlotField, local_ms: number): NumberPoint[] {
    const { coarse, fine } = this.#kept.get(idOf(field)) ?? { coarse: [], fine: [] };
    return [...coarse, ...fine].map(({ at_ms, value }) => ({ at_ms: at_ms - local_ms, value }));
  }
}

/** Keeps fewer of the values that are older than a minute at time `at_ms`. */
function thin({ coarse, fine }: Kept, at_ms: number): void {
  const young = fine.findIndex((point) => point.at_ms > at_ms - FINE_MS);
  for (const point of fine.splice(0, Math.max(young, fine.length - FINE_MAX, 0))) {
    if (point.at_ms >= (coarse.at(-1)?.at_ms ?? -Infinity) + COARSE_MS) coarse.push(point);
  }
  coarse.splice(0, Math.max(coarse.length - COARSE_MAX, 0));
}
