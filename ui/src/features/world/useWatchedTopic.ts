// Samples of a key expression that nothing has subscribed to yet.

import { useQuery } from "@tanstack/react-query";
import type { TopicRow } from "../../generated/bindings/TopicRow";
import { operation } from "../../host/operations";
import { useStation } from "../../domain/station/station-context";
import { useRested } from "../../design/fields/useRested";

/** Asked once typing rests. */
const REST_MS = 400;
/** Longest wait of the station for a sample, seconds. */
const WAIT_SECS = 2;

/** The first topic that `pattern` names, heard by listening while `wanted`. */
export function useWatchedTopic(pattern: string, wanted: boolean): { topic: TopicRow | null; listening: boolean } {
  const { host } = useStation();
  const rested = useRested(pattern.trim(), REST_MS);
  const asked = wanted && rested !== null && rested !== "";
  const watched = useQuery({
    queryKey: ["watch-topic", rested],
    enabled: asked,
    // Each question waits for samples already: a second one would double the silence.
    retry: false,
    queryFn: ({ signal }) => operation(host, "watch_topic", { key_expr: rested ?? "", wait_secs: WAIT_SECS }, signal),
  });
  return { topic: asked ? (watched.data?.[0] ?? null) : null, listening: asked && watched.isFetching };
}
