// Gathers what a scene shows: poses from the live store, limits and goals from the station's rows.

import { useQueries } from "@tanstack/react-query";
import type { RobotRow } from "../../bindings/RobotRow";
import { operation } from "../../host/operations";
import type { LiveStore } from "../../host/live-store";
import type { StationTime } from "../../host/station-clock";
import { formatAge } from "../format/time";
import { ageMs, freshness } from "../freshness/freshness";
import { useStation } from "../hooks/station-context";
import { useLive } from "../hooks/useLive";
import { useRows } from "../hooks/useRows";
import { isOpen } from "../proposal/proposal-state";
import { buildScene, type PlacedLimit, type RobotSight, type SceneModel } from "./scene-model";

/** How much of the way behind a robot is drawn. */
const TRAIL_MS = 30_000;

/** The scene of these robots, rebuilt with every frame; the drawing compares before it draws. */
export function useSceneModel(robots: readonly RobotRow[], drafts: readonly PlacedLimit[] = []): SceneModel {
  const { host, store } = useStation();
  const time = useLive((live) => live.time);
  const proposals = useRows("proposals", "list_proposals", {});
  const constraints = useQueries({
    queries: robots.map(({ id }) => ({
      queryKey: ["constraints", "list_constraints", id],
      queryFn: () => operation(host, "list_constraints", { robot: id }),
    })),
    combine: (results) => results.flatMap((result) => result.data ?? []),
  });
  const open = (proposals.data?.rows ?? []).filter(({ state }) => isOpen(state));
  return buildScene(
    robots.map((robot) => sight(store, time, robot)),
    constraints,
    open,
    drafts,
  );
}

function sight(store: LiveStore, time: StationTime, robot: RobotRow): RobotSight {
  const id = `robot/${robot.id}/pose`;
  const signal = store.signal(id);
  const { now_ms, lost } = time;
  const source_lost = signal?.source_lost === true || store.links.get(robot.id)?.link === "lost";
  return {
    robot,
    pose: signal && typeof signal.value === "object" ? signal.value : null,
    freshness: freshness(signal && { ...signal, source_lost }, now_ms, lost),
    age: signal && now_ms !== null ? formatAge(ageMs(signal.observed_mono_ms, now_ms)) : "",
    trail: now_ms === null ? [] : (store.track(id)?.since(now_ms - TRAIL_MS) ?? []).map(({ pose }) => pose),
  };
}
