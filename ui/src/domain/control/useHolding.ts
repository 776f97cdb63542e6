// Holder of control of a robot: the newest fact, or the row before the first one.

import type { ControlHolder } from "../../generated/bindings/ControlHolder";
import { useLive } from "../station/useLive";
import { type Holding, holdingOf } from "./holder";

/** The holder as this desk sees it. */
export function useHolding(robot: { id: string; control: ControlHolder }): Holding {
  const holder = useLive((store) => store.safety.get(robot.id)?.control ?? robot.control);
  const session = useLive((store) => store.session?.session_id);
  return holdingOf(holder, session);
}
