// Refusal of arming or disarming a robot now.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { RobotStateName } from "../../generated/bindings/RobotStateName";
import { useCommandRefusal } from "../station/useCommandRefusal";
import { useLive } from "../station/useLive";
import { armingSaid } from "./arming-problem";
import { manifestFaults } from "./manifest-faults";
import { t } from "../../locales/i18n";

/** The reason as a sentence of the station where it gave one, or null. */
export function useArmingRefusal(robot: RobotRow, state: RobotStateName): string | null {
  const commands = useCommandRefusal();
  const safety = useLive((store) => store.safety.get(robot.id) ?? null);
  const problem = armingSaid(safety)?.text ?? null;
  if (commands !== null) return commands;
  switch (state) {
    case "arming":
    case "armed":
    case "hold":
      return null;
    case "safe_stop":
    case "lockout":
      return problem ?? t("robot.release_first");
    case "disarmed":
      return manifestFaults(robot)[0]?.text ?? problem;
  }
}
