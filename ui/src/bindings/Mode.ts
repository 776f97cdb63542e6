export type Mode = "live" | "sim";
