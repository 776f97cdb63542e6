import type { CommandStep } from "./CommandStep";
import type { ItemRow } from "./ItemRow";
import type { ProposalState } from "./ProposalState";
import type { Verdict } from "./Verdict";

export type Proposal = { id: string; version: number; action_hash: string; tier: "low" | "medium" | "high"; tier_rule: string; role_needed: "operator" | "admin"; agent: string; robot: string | null; operation: string; input: unknown; sentence: string; reason: string; facts: { key: string; value: number | boolean | string; age_ms: number; freshness: "live" | "aging" | "stale" | "lost" | "never" }[]; verdict: Verdict | null; explanation: ItemRow[]; preview: { frame: string; from: [number, number, number]; to: [number, number, number]; length_m: number; clearance_m: number | null; duration_s: number | null; kind: "straight_estimate" | "planned" } | null; created_at: number; expires_at: number; expires_mono_ms: number; state: ProposalState; state_reason: string | null; steps: { step: CommandStep; at_mono_ms: number }[]; decided_by: string | null };
