export type CommandStep = "denied" | "approved" | "sent" | "received" | "running" | "done" | "failed" | "superseded" | "refused_by_robot" | "unknown";
