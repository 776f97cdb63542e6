import type { AlarmId } from "./AlarmId";

export type WorstSource = { id: AlarmId, source: string, message: string, count: number, };
