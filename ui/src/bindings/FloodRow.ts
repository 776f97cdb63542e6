export type FloodRow = { since: number, count: number, };
