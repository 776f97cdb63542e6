// Current trouble of each robot.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { LiveStore } from "../../host/live-store";
import { freshness } from "../../design/format/freshness";
import { useLive } from "../../domain/station/useLive";
import { requiredSignals, type Trouble, troubleOf } from "./overview-state";

/** Robots with their trouble, abnormal ones first, in the station's order otherwise (U-801). */
export function useTroubles(robots: readonly RobotRow[]): { robot: RobotRow; trouble: Trouble | null }[] {
  // One text for all robots: it only changes when somebody's trouble does.
  const found = useLive((store) => robots.map((robot) => trouble(store, robot) ?? "").join(" "));
  const troubles = found.split(" ");
  // The sort is stable: among equals the order of the station stays.
  return robots
    .map((robot, index) => ({ robot, trouble: parseTrouble(troubles[index]) }))
    .sort((a, b) => Number(a.trouble === null) - Number(b.trouble === null));
}

function trouble(store: LiveStore, robot: RobotRow): Trouble | null {
  const link = store.links.get(robot.id)?.link ?? robot.link;
  const state = store.safety.get(robot.id)?.state ?? robot.state;
  const states = requiredSignals(robot).map((id) => freshness(store.signal(id), store.time.now_ms, store.time.lost));
  return troubleOf({ errors: robot.errors, state }, link, states);
}

function parseTrouble(text: string | undefined): Trouble | null {
  return text === undefined || text === "" ? null : (text as Trouble);
}
