import type { AlarmId } from "./AlarmId";
import type { Priority } from "./Priority";

export type Group = { first_out: AlarmId, count: number, worst: Priority, };
