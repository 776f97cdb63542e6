// The present glyph of a robot.

import type { RobotRow } from "../../generated/bindings/RobotRow";
import { useLive } from "../station/useLive";
import { lookOf, type RobotLook } from "./robot-look";

/** State, measured speed and link of a robot as its glyph shows them; it changes only when one of these does. */
export function useRobotLook(robot: RobotRow): RobotLook {
  return useLive((store) => {
    const link = store.links.get(robot.id)?.link ?? robot.link;
    const speed = store.signal(`robot/${robot.id}/speed`)?.value;
    const known = !store.time.lost && (link === "live" || link === "late");
    return lookOf(store.safety.get(robot.id)?.state ?? robot.state, typeof speed === "number" ? speed : null, known);
  });
}
