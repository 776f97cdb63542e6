// Rows of the ledger for tests.

import type { ModelCallRow } from "../generated/bindings/ModelCallRow";

export function modelCall(change: Partial<ModelCallRow> = {}): ModelCallRow {
  return {
    id: "mc-1",
    began_ms: 1_772_990_000_000,
    ended_ms: 1_772_990_001_200,
    session: "s-1",
    turn: "t-1",
    mission_id: null,
    purpose: "main",
    provider: "box",
    model: "small",
    outcome: "ok",
    price: null,
    usage_raw: {},
    usage: { in_fresh: 200, cache_read: 800, cache_write_5m: 0, cache_write_1h: 0, out: 50, estimated: false },
    cached_share: 0.8,
    cost_microusd: 1_250,
    ...change,
  };
}
