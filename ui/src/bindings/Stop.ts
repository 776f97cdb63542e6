import type { StopRobot } from "./StopRobot";

export type Stop = { stop_id: number; by: string; reason: string | null; at_mono_ms: number; at: number; open: boolean; latch_saved: boolean; robots: StopRobot[] };
