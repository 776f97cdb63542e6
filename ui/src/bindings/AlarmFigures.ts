import type { AlarmId } from "./AlarmId";
import type { PrioritySplit } from "./PrioritySplit";
import type { WorstSource } from "./WorstSource";

export type AlarmFigures = { from: number, to: number, alarms: number, per_10_min: number, per_10_min_max: number, flood_share: number, chattering: Array<WorstSource>, standing: Array<AlarmId>, by_priority: Array<PrioritySplit>, worst: Array<WorstSource>, };
