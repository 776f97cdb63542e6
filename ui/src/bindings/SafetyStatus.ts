import type { Mode } from "./Mode";
import type { RobotSafety } from "./RobotSafety";
import type { Stop } from "./Stop";

export type SafetyStatus = { mode: Mode; station: string; robots: RobotSafety[]; stops: Stop[]; stopped: boolean };
