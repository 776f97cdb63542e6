export type Shelved = { until_ms: number, by: string, reason: string, };
