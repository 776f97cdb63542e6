export type AlarmState = "normal" | "unack_active" | "ack_active" | "unack_returned" | "latched";
