// The agent that the window shows, as the station lists it.

import type { AgentRow } from "../../generated/bindings/AgentRow";
import { useLive } from "../station/useLive";
import { useRows } from "../station/useRows";

/** Its row, which follows every change of its mode and model; null until it is known. */
export function useShownAgent(): AgentRow | null {
  const agent = useLive((store) => store.agent ?? store.session?.agent ?? null);
  return useRows("agents", "list_agents", {}).data?.rows.find(({ id }) => id === agent) ?? null;
}
