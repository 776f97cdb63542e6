import type { FloodRow } from "./FloodRow";

export type AlarmCounts = { active: number, unacknowledged: number, shelved: number, suppressed: number, out_of_service: number, flood: FloodRow | null, };
