// The end of the simulator while its robots are still known.

import { useLive } from "../../domain/station/useLive";
import type { RobotRow } from "../../generated/bindings/RobotRow";

/** True while robots of the simulator are listed and it does not run. */
export function useSimulatorEnded(robots: readonly RobotRow[]): boolean {
  const simulator = useLive((store) => store.session?.simulator);
  return simulator !== undefined && simulator !== "running" && robots.some(({ simulated }) => simulated);
}
