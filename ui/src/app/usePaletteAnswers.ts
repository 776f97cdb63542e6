// Beliefs and memory records about the words in the palette.

import { useQuery } from "@tanstack/react-query";
import { aboutAgent, operation } from "../host/operations";
import { useStation } from "../domain/station/station-context";
import { useCommandRefusal } from "../domain/station/useCommandRefusal";
import { useLive } from "../domain/station/useLive";
import { useRested } from "../design/fields/useRested";

/** A word that is half typed is not looked for. */
const REST_MS = 200;
/** Of each kind; the screens have the rest. */
const LINES_MAX = 5;

/** Beliefs and records about the words; none while somebody types, and none of what this person may not read. */
export function usePaletteAnswers(words: string) {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const asked = useRested(words.trim(), REST_MS) ?? "";
  const held = { query: asked, limit: LINES_MAX };
  const enabled = asked !== "" && agent !== null;
  const beliefs = useQuery({
    queryKey: ["beliefs", "palette", agent, asked],
    enabled,
    retry: false,
    queryFn: ({ signal }) => operation(host, "list_beliefs", aboutAgent("list_beliefs", held, agent), signal),
  });
  const mayRead = useCommandRefusal() === null;
  const found = useQuery({
    queryKey: ["memory_search", "palette", agent, asked],
    enabled: enabled && mayRead,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => operation(host, "memory_search", aboutAgent("memory_search", held, agent), signal),
  });
  return { beliefs: beliefs.data ?? [], hits: found.data?.items ?? [] };
}
