// The newest dry run of a mission in this window. It is made when somebody asks for it, and never by itself.

import { useQuery } from "@tanstack/react-query";
import type { MissionDryRun } from "../../../generated/bindings/MissionDryRun";
import { type HostError, toHostError } from "../../../host/host";
import { aboutAgent, operation } from "../../../host/operations";
import { useStation } from "../../../domain/station/station-context";
import { useLive } from "../../../domain/station/useLive";

export type DryRunCall = {
  dry: MissionDryRun | null;
  run: () => void;
  running: boolean;
  error: HostError | null;
};

export function useDryRun(mission_id: string): DryRunCall {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const asked = aboutAgent("dry_run_mission", { mission_id, recorded: true }, agent);
  const query = useQuery({
    queryKey: ["dry_run", asked],
    enabled: false,
    // A dry run is expensive for the station, so only a person asks again.
    retry: false,
    // Looking at another mission must not throw away a result that took long to get.
    gcTime: Infinity,
    queryFn: ({ signal }) => operation(host, "dry_run_mission", asked, signal),
  });
  return {
    dry: query.data ?? null,
    run: () => void query.refetch(),
    running: query.isFetching,
    error: query.error === null || query.isFetching ? null : toHostError(query.error),
  };
}
