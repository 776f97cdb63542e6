import type { PoseValue } from "./PoseValue";

export type SignalValue = number | boolean | string | PoseValue;
