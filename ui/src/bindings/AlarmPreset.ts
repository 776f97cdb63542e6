export type AlarmPreset = "active" | "unacknowledged" | "shelved" | "suppressed" | "out_of_service" | "all";
