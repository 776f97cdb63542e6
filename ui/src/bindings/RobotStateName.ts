export type RobotStateName = "disarmed" | "armed" | "stopped";
