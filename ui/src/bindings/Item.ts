import type { Overall } from "./Overall";

export type Item = { constraint: string; kind: string; verdict: Overall; limit: number | null; predicted: number | null; margin: number | null; unit: string; at_path_m: number | null; point_m: [number, number, number] | null; nearest_allowed_m: [number, number, number] | null; reason: { code: string; args: Record<string, unknown> } | null };
