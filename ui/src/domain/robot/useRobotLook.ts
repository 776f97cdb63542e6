// The present glyph of a robot.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import { useLive } from "../station/useLive";
import { liveLook, type RobotLook } from "./robot-look";

/** State, measured speed and link of a robot as its glyph shows them; it changes only when one of these does. */
export function useRobotLook(robot: RobotRow): RobotLook {
  return useLive((store) => liveLook(store, robot));
}
