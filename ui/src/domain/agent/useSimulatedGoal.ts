// A first motion to ask the agent for, where nothing but a simulated robot would move.

import { useRows } from "../station/useRows";

const ROBOT = "arm-1";
const GOAL = "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s";

/** A message that asks for a goal which the simulator's arm reaches; null without it. */
export function useSimulatedGoal(): string | null {
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  return robots.some(({ id, simulated }) => simulated && id === ROBOT) ? GOAL : null;
}
