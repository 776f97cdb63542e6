import type { AlarmCounts } from "./AlarmCounts";
import type { AlarmFigures } from "./AlarmFigures";

export type AlarmReport = { now: AlarmCounts, } & AlarmFigures;
