// Topics that bring more than the list of topics shows: while they are plotted they are asked for ten times a second.

import { useEffect } from "react";
import type { TopicRow } from "../../../generated/bindings/TopicRow";
import { useStation } from "../../../domain/station/station-context";
import { useLive } from "../../../domain/station/useLive";
import { operation } from "../../../host/operations";
import type { PlotField } from "./plot-fields";
import type { TopicRecorder } from "./topic-recorder";

/** The time between two looks at a topic. */
const ASK_MS = 100;
/** A topic that brings no more in a second than this is drawn from the list of topics. */
const SLOW_HZ = 0.6;
/** Topics that are looked at so often; of further ones the list is enough. */
const TOPICS_MAX = 4;

/** The plotted topics that are fast, each once. */
export function fastTopics(fields: readonly PlotField[], topics: readonly TopicRow[]): string[] {
  const plotted = new Set(fields.flatMap((field) => (field.kind === "topic" ? [field.topic] : [])));
  const fast = topics.filter(({ key_expr, rate_hz }) => plotted.has(key_expr) && rate_hz > SLOW_HZ);
  return fast.map(({ key_expr }) => key_expr).slice(0, TOPICS_MAX);
}

/** Notes their values in `recorder` while the window is seen and the station is heard. */
export function useFastTopics(
  recorder: TopicRecorder,
  fields: readonly PlotField[],
  topics: readonly TopicRow[],
): void {
  const { host } = useStation();
  const heard = useLive(({ time }) => !time.lost && time.now_ms !== null);
  // One text, so that a new list with the same topics begins nothing anew.
  const asked = heard ? fastTopics(fields, topics).join("\n") : "";

  // Synchronises with the station: values that come between two lists are seen nowhere else.
  useEffect(() => {
    if (asked === "") return;
    const gone = new AbortController();
    const waiting = new Set<string>();
    const ask = async (key_expr: string) => {
      waiting.add(key_expr);
      const asked_ms = performance.now();
      try {
        const rows = await operation(host, "watch_topic", { key_expr, wait_secs: 0 }, gone.signal);
        if (!gone.signal.aborted) recorder.note(rows, fields, asked_ms);
      } catch {
        // The list of topics goes on, and says what is wrong.
      }
      waiting.delete(key_expr);
    };
    const timer = setInterval(() => {
      // Nobody sees the line, and ten questions a second are paid for by the link.
      if (document.hidden) return;
      for (const topic of asked.split("\n")) if (!waiting.has(topic)) void ask(topic);
    }, ASK_MS);
    return () => {
      clearInterval(timer);
      gone.abort();
    };
  }, [asked, fields, host, recorder]);
}
