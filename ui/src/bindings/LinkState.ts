export type LinkState = "live" | "late" | "lost" | "never";
