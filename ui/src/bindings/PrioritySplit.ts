import type { Priority } from "./Priority";

export type PrioritySplit = { priority: Priority, count: number, share: number, };
