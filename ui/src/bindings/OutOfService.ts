export type OutOfService = { since_ms: number, by: string, reason: string, };
