// Beliefs by subject and predicate, page after page as somebody scrolls.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import type { BeliefState } from "../../generated/bindings/BeliefState";
import { aboutAgent, operation } from "../../host/operations";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";

/** As many as the station gives at once. */
const PAGE = 1_000;

/** `all` leaves out what has faded, as every list does that is not asked for it. */
export type StateFilter = "all" | BeliefState;

/** Pages of the beliefs that hold `query` and are in this state. */
export function useBeliefs(filter: StateFilter, query: string) {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const wanted = { limit: PAGE, ...(filter === "all" ? {} : { state: filter }), ...(query === "" ? {} : { query }) };
  return useInfiniteQuery({
    queryKey: ["beliefs", "list_beliefs", agent, wanted],
    enabled: agent !== null,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      operation(
        host,
        "list_beliefs",
        aboutAgent("list_beliefs", pageParam === null ? wanted : { ...wanted, after: pageParam }, agent),
        signal,
      ),
    getNextPageParam: (page: BeliefRow[]) => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
    // Rows stay while others are looked for, but those of one agent never stand for another's.
    placeholderData: (before, query) => (query?.queryKey[2] === agent ? before : undefined),
  });
}
