import type { LinkState } from "./LinkState";
import type { RobotStateName } from "./RobotStateName";

export type RobotSafety = { robot: string; state: RobotStateName; arming_problem: string | null; set_version: number; set_hash: string; link: LinkState; gate: "reference" | "vendor" | "none" };
