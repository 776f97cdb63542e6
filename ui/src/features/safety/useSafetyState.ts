// A robot's state, what holds or stops it, and why it cannot be armed.

import type { CauseRow } from "../../generated/bindings/CauseRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { RobotStateName } from "../../generated/bindings/RobotStateName";
import type { Said } from "../../locales/station-words";
import { causeSentence } from "../../domain/stop/cause-sentences";
import { hardestFirst } from "../../domain/robot/causes";
import { armingSaid } from "../../domain/robot/arming-problem";
import { manifestFaults } from "../../domain/robot/manifest-faults";
import { useLive } from "../../domain/station/useLive";

/**
 * `problem` keeps the robot from being armed. `stationOnly`: no gate at the robot checks its commands again.
 * `unreachable`: nobody can tell whether it still holds.
 */
export type SafetyState = {
  state: RobotStateName;
  causes: readonly CauseRow[];
  problem: Said | null;
  stationOnly: boolean;
  unreachable: boolean;
};

/** From the live facts, or the row before the first one. */
export function useSafetyState(robot: RobotRow): SafetyState {
  const safety = useLive((store) => store.safety.get(robot.id));
  const unreachable = useLive((store) => store.time.lost || (store.links.get(robot.id)?.link ?? robot.link) === "lost");
  const causes = hardestFirst(safety?.causes ?? []);
  return {
    state: safety?.state ?? robot.state,
    causes,
    // A faulty manifest outlasts every cause, and nothing else helps before it is mended.
    problem: manifestFaults(robot)[0] ?? causeSaid(causes[0]) ?? armingSaid(safety),
    stationOnly: safety?.gate === "none",
    unreachable,
  };
}

function causeSaid(cause: CauseRow | undefined): Said | null {
  return cause === undefined ? null : { text: causeSentence(cause), more: null };
}
