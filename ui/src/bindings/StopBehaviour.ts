export type StopBehaviour = "hold" | "controlled_then_off" | "power_off";
