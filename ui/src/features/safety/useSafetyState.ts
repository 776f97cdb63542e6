// A robot's state, why it cannot be armed, and what clears that.

import type { RobotRow } from "../../bindings/RobotRow";
import type { RobotStateName } from "../../bindings/RobotStateName";
import { NO_NUMBER } from "../../shared/format/numbers";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";

/** `problem` is the station's sentence where it gave one. */
export type SafetyState = { state: RobotStateName; problem: string | null; clears: string };

/** From the live facts, or the row before the first one. */
export function useSafetyState(robot: RobotRow): SafetyState {
  const safety = useLive((store) => store.safety.get(robot.id));
  const state = safety?.state ?? robot.state;
  const problem = robot.errors[0] ?? safety?.causes[0]?.sentence ?? safety?.arming_problem ?? null;
  return { state, problem, clears: clearsText(state, problem) };
}

function clearsText(state: RobotStateName, problem: string | null): string {
  switch (state) {
    case "armed":
    case "arming":
      return NO_NUMBER;
    case "hold":
    case "safe_stop":
    case "lockout":
      return t("safety.clears_stopped");
    case "disarmed":
      return problem === null ? t("safety.clears_disarmed") : t("safety.clears_problem");
  }
}
