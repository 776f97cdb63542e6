// What the age of a line's newest value says about it.

import type { TopicRow } from "../../../generated/bindings/TopicRow";
import type { WorldRow } from "../../../generated/bindings/WorldRow";
import { isCurrent } from "../../../design/format/freshness";
import type { Stamped } from "../../../domain/station/useRows";
import type { LiveStore } from "../../../host/live-store";
import { ageOf, freshnessNow, freshnessOf } from "../useWorldReading";
import type { PlotField } from "./plot-fields";
import type { Newest, NumberPoint } from "./plot-lanes";

/** The rows that the station listed. */
export type Listed = { world: Stamped<WorldRow[]> | undefined; topics: Stamped<TopicRow[]> | undefined };

/** The newest value of a field, of which `points` are known. */
export function newestOf(
  store: LiveStore,
  { world, topics }: Listed,
  field: PlotField,
  points: readonly NumberPoint[],
) {
  if (field.kind === "topic") return ofTopic(store, topics, field.topic, points);
  const row = world?.rows.find(({ key }) => key === field.key);
  // An entry that the station does not list any more is gone, and its last value with it.
  if (world === undefined || row === undefined) return held("lost", ageFrom(points));
  return held(freshnessOf(store, row), ageOf(store, row, world.asked_ms));
}

/** A topic has no maximum age: only its age tells that it fell silent. */
function ofTopic(store: LiveStore, topics: Listed["topics"], topic: string, points: readonly NumberPoint[]): Newest {
  const isListed = topics?.rows.some(({ key_expr }) => key_expr === topic) ?? false;
  return held(freshnessNow(store, isListed ? "live" : "lost"), ageFrom(points));
}

function ageFrom(points: readonly NumberPoint[]): number | null {
  const newest = points.at(-1);
  return newest === undefined ? null : -newest.at_ms;
}

function held(state: Newest["state"], age_ms: number | null): Newest {
  return { state, age_ms, held_to_ms: isCurrent(state) || age_ms === null ? 0 : -age_ms };
}
