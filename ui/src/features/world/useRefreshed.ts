// Counters of the station that no tag announces: rates, counts and ages that change with every sample.

import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLive } from "../../domain/station/useLive";

/** A rate that is read, not watched. */
const EVERY_MS = 2_000;

/** Asks again as the window's ticker passes, while the component is shown and the station is heard (U-503). */
export function useRefreshed<Data>(query: UseQueryResult<Data>): UseQueryResult<Data> {
  const pass = useLive(({ time }) => (time.lost || time.now_ms === null ? null : Math.floor(time.now_ms / EVERY_MS)));
  const { refetch } = query;

  // Synchronises with the station's counters: a topic that is heard must not look silent.
  useEffect(() => {
    // An answer that takes longer than the pace would never come if each pass asked anew.
    if (pass !== null) void refetch({ cancelRefetch: false });
  }, [pass, refetch]);

  return query;
}
