export type Tag = "robots" | "world" | "proposals" | "safety" | "transcript" | "constraints" | "alerts" | "missions";
