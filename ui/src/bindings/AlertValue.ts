import type { Key } from "./Key";
import type { Scalar } from "./Scalar";

export type AlertValue = { key: Key, value: Scalar, confidence: number | null, age_ms: number, source: string, provider: string, };
