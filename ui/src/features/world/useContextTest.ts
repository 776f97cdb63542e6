// Entries that a draft of a provider would write, asked of the station while it is typed.

import { useQuery } from "@tanstack/react-query";
import type { ContextTested } from "../../generated/bindings/ContextTested";
import { type HostError, toHostError } from "../../host/host";
import { aboutAgent, operation } from "../../host/operations";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRested } from "../../design/fields/useRested";
import { isTriable, type ProviderDraft, readProvider } from "./provider-draft";

/** Asked once typing rests. */
const REST_MS = 350;
/** Longest wait of the station where it has kept no sample, seconds. */
const WAIT_SECS = 2;

/** The newest answer; `again` asks once more, for samples that came since. */
export type ContextTest = {
  answer: ContextTested | null;
  error: HostError | null;
  pending: boolean;
  again: () => void;
};

/** Tests the draft; nothing is written. */
export function useContextTest(draft: ProviderDraft): ContextTest {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const { config } = readProvider(draft);
  const text = config !== null && isTriable(draft) ? JSON.stringify(config) : null;
  const rested = useRested(text, REST_MS);
  const query = useQuery({
    queryKey: ["context-test", agent, rested],
    enabled: rested !== null,
    // A refusal is an answer about the draft: asking again would only delay it.
    retry: false,
    queryFn: ({ signal }) =>
      operation(
        host,
        "test_context",
        aboutAgent("test_context", { draft: JSON.parse(rested ?? "{}"), wait_secs: WAIT_SECS }, agent),
        signal,
      ),
  });
  return {
    answer: rested !== null && !query.isError ? (query.data ?? null) : null,
    error: rested !== null && query.error !== null ? toHostError(query.error) : null,
    pending: text !== null && (rested === null || query.isFetching),
    again: () => void query.refetch(),
  };
}
