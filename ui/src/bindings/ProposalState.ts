export type ProposalState = "waiting" | "recheck" | "rejected" | "expired" | "voided" | "approved" | "dispatched" | "received" | "running" | "done" | "failed" | "unknown";
