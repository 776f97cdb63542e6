import type { SignalValue } from "./SignalValue";

export type Signal = { id: string; source: string; value: SignalValue; unit: string | null; confidence: number | null; observed_mono_ms: number; max_age_ms: number; age_basis: "source" | "received"; origin: "measured" | "estimated" | "replay"; source_lost: boolean; simulated: boolean };
