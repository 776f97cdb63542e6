import type { StopBehaviour } from "./StopBehaviour";

export type StopRobot = { robot: string; sent_after_ms: number | null; acked_after_ms: number | null; speed_mps: number | null; standstill: boolean | null; released: boolean; behaviour: StopBehaviour; ack_ms: number; hardware_estop: string; not_confirmed: boolean };
