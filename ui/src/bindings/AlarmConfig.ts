import type { Consequence } from "./Consequence";

export type AlarmConfig = { cause?: string, consequence?: Consequence, response?: string, time_to_respond_secs?: number, latching?: boolean, off_delay_secs?: number, suppress_when?: string, };
