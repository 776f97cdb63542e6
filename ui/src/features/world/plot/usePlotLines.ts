// The lines of a plot as they are now: what the station kept, what it pushed since, and what was heard of topics.

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { TopicRow } from "../../../generated/bindings/TopicRow";
import type { WorldRow } from "../../../generated/bindings/WorldRow";
import { recentPoints } from "../../../domain/world/history-points";
import { useTimeOfDay } from "../../../domain/station/useTicked";
import { useStation } from "../../../domain/station/station-context";
import { useLive } from "../../../domain/station/useLive";
import { aboutAgent, operation } from "../../../host/operations";
import { type Listed, newestOf } from "./newest";
import { idOf, withUnit } from "./plot-fields";
import { numbersOf, type PlotLine, within } from "./plot-lanes";
import type { Plot } from "./plot-memory";
import { TopicRecorder } from "./topic-recorder";
import { useFastTopics } from "./useFastTopics";

const NONE: readonly TopicRow[] = [];
const NO_ENTRIES: readonly WorldRow[] = [];
/** More than a plot has pixels. */
const POINTS_MAX = 1_000;
/** Lines move on twice a second. */
const REDRAW_MS = 500;

/** Points of every field; `thresholds` are those by the field's id. */
export function usePlotLines(plot: Plot, listed: Listed, thresholds: ReadonlyMap<string, number>): PlotLine[] {
  const { world, topics } = listed;
  const { host, store } = useStation();
  const agent = useLive((live) => live.agent);
  const [recorder] = useState(() => new TopicRecorder());
  // Points are read from the store as it is at each pass; it is no state of React.
  useLive(({ time }) => (time.now_ms === null ? null : Math.floor(time.now_ms / REDRAW_MS)));
  const now_wall_ms = useTimeOfDay(REDRAW_MS);
  const histories = useQueries({
    queries: plot.fields.map((field) => ({
      // No tag outdates it: what comes later is pushed.
      queryKey: ["plot", agent, idOf(field)],
      enabled: field.kind === "world" && agent !== null,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        field.kind === "world"
          ? operation(
              host,
              "world_history",
              aboutAgent("world_history", { key: field.key, max_points: POINTS_MAX }, agent),
              signal,
            )
          : Promise.resolve([]),
    })),
  });
  useFastTopics(recorder, plot.fields, topics?.rows ?? NONE);
  // While it is drawn: noted in an effect, the newest value would be shown with the next redraw only.
  if (topics) recorder.note(topics.rows, plot.fields, topics.asked_ms);
  const { now_ms, local_ms } = store.time;
  return plot.fields.map((field, place) => {
    const points =
      field.kind === "topic"
        ? recorder.points(field, local_ms)
        : numbersOf(
            recentPoints(
              histories[place]?.data ?? [],
              store.series(`world/${agent}/${field.key}`),
              now_ms ?? 0,
              now_wall_ms,
            ),
          );
    return {
      field: withUnit(field, world?.rows ?? NO_ENTRIES),
      place,
      points: within(points, plot.span_ms),
      threshold: thresholds.get(idOf(field)) ?? null,
      newest: newestOf(store, listed, field, points),
    };
  });
}
