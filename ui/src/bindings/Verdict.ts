import type { Item } from "./Item";
import type { Overall } from "./Overall";

export type Verdict = { id: string; at_mono_ms: number; robot: string; mission: string | null; command: string; frame: string; overall: Overall; items: Item[]; violations_total: number; set_version: number; set_hash: string; snapshot_seq: number; speed_allowed_mps: number | null; path_checked: "point" | "segment" | "polyline" | "ball" | "goal_only" };
