// What the palette chooses from.

import { useQuery } from "@tanstack/react-query";
import { useRested } from "../../design/fields/useRested";
import { useStation } from "../../domain/station/station-context";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { aboutAgent, operation } from "../../host/operations";
import type { Known } from "./palette-entries";

/** A word that is half typed is not looked for. */
const REST_MS = 200;
/** Of each kind; the screens have the rest. */
const LINES_MAX = 5;

/** `answered` is false while the station looks for these words, or somebody still types. */
export function useKnown(words: string): { known: Known; answered: boolean } {
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const missions = useRows("missions", "list_missions", {}).data?.rows ?? [];
  const alarms = useRows("alarms", "list_alarms", { preset: "active" }).data?.rows ?? [];
  const proposals = useRows("proposals", "list_proposals", {}).data?.rows ?? [];
  const simulator = useLive((store) => store.session?.simulator ?? "running");
  const stopped = useLive((store) => store.stops.some(({ open }) => open));
  const { beliefs, hits, answered } = useAnswers(words.trim());
  return { known: { robots, missions, alarms, proposals, beliefs, hits, simulator, stopped }, answered };
}

/** Beliefs and records about the words; none of what this person may not read. */
function useAnswers(words: string) {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const asked = useRested(words, REST_MS) ?? "";
  const input = { query: asked, limit: LINES_MAX };
  const enabled = asked !== "" && agent !== null;
  const beliefs = useQuery({
    queryKey: ["beliefs", "palette", agent, asked],
    enabled,
    retry: false,
    queryFn: ({ signal }) => operation(host, "list_beliefs", aboutAgent("list_beliefs", input, agent), signal),
  });
  const mayRead = useCommandRefusal() === null;
  const found = useQuery({
    queryKey: ["memory_search", "palette", agent, asked],
    enabled: enabled && mayRead,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => operation(host, "memory_search", aboutAgent("memory_search", input, agent), signal),
  });
  const pending = beliefs.fetchStatus === "fetching" || found.fetchStatus === "fetching";
  return { beliefs: beliefs.data ?? [], hits: found.data?.items ?? [], answered: asked === words && !pending };
}
