// Names that a message can mention.

import { useRows } from "../../domain/station/useRows";
import type { Mention } from "./mentions";

/** Robots, missions and what is known of the world, once somebody wants them. */
export function useNames(wanted: boolean): Mention[] {
  const robots = useRows("robots", "list_robots", {}, wanted);
  const missions = useRows("missions", "list_missions", {}, wanted);
  const world = useRows("world", "list_world_state", {}, wanted);
  return [
    ...(robots.data?.rows ?? []).map(({ id }): Mention => ({ name: id, kind: "robot" })),
    ...(missions.data?.rows ?? []).map(({ id }): Mention => ({ name: id, kind: "mission" })),
    ...(world.data?.rows ?? []).map(({ key }): Mention => ({ name: key, kind: "key" })),
  ];
}
