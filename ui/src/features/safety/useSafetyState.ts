// A robot's state, what holds or stops it, and why it cannot be armed.

import type { CauseRow } from "../../generated/bindings/CauseRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { RobotStateName } from "../../generated/bindings/RobotStateName";
import { hardestFirst } from "../../domain/robot/causes";
import { useLive } from "../../domain/station/useLive";

/**
 * `problem` is the station's sentence where it gave one. `stationOnly`: no gate at the robot checks its commands again.
 * `unreachable`: nobody can tell whether it still holds.
 */
export type SafetyState = {
  state: RobotStateName;
  causes: readonly CauseRow[];
  problem: string | null;
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
    problem: robot.errors[0] ?? causes[0]?.sentence ?? safety?.arming_problem ?? null,
    stationOnly: safety?.gate === "none",
    unreachable,
  };
}
