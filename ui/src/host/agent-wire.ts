// What the operations about agents, models and missions carry.

import type { Effect } from "../bindings/Effect";
import type { Event } from "../bindings/Event";
import type { Outcome } from "../bindings/Outcome";
import type { Usage } from "../bindings/Usage";

/** What can be spent. */
export type MeterName = "calls" | "wall" | "context" | "turn" | "mission" | "day";

/** How a turn ended. */
export type TurnOutcome =
  | Outcome
  | "delivered"
  | "fallback"
  | "refused"
  | { partial: string }
  | { cancelled: string }
  | { failed: string }
  | { paused: MeterName };

/** One fact about a turn, those of a newer station included. */
export type TurnEvent =
  | Exclude<Event, { turn_ended: unknown }>
  | { text_delta: { text: string } }
  | { thinking_delta: { text: string } }
  | { call_progress: { call: string; text: string } }
  | { usage: { purpose: string; usage: Usage; total: Usage } }
  | { warn: { meter: MeterName; used: number; limit: number } }
  | { compacted: { before: number; after: number } }
  | { restart: { reason: string; wait_ms: number } }
  | { turn_ended: { outcome: TurnOutcome; calls: number; usage: Usage } };

/** A tool, as a call of it is told. */
export type ToolCalled = { call: string; name: string; args: unknown; effect: Effect };

/** What kind of server a provider is. */
export type ServerKind = "anthropic" | "openai" | "gemini" | "llama_cpp" | "ollama" | "lm_studio" | "vllm" | "openai_compatible";

/** Where a language model is reached, as it is written into `config.toml`. */
export type ProviderSettings = { kind: ServerKind; base?: string; key?: string; local?: boolean; window?: number; models?: string[] };

/** One row of `list_providers`. */
export type ProviderRow = ProviderSettings & { id: string };

/** A model server that was found on this computer. */
export type LocalServer = { kind: ServerKind; base: string; models: string[] };

/** The answer of `test_provider`. */
export type ProviderTested = { ok: boolean; model: string | null; latency_ms: number | null; code: string | null; message: string | null };

/** A model of a provider. */
export type ModelChoice = { provider: string; model: string };

/** One row of `list_models`. */
export type ModelRow = { id: string; window: number | null };

/** One row of `list_secrets`; the key itself never leaves the station. */
export type SecretRow = { name: string; last4: string; set_at: number };

/** One row of `list_model_calls`. A price that is not known is no price, never 0. */
export type ModelCallRow = {
  id: string;
  began_ms: number;
  ended_ms: number | null;
  session: string;
  turn: string | null;
  mission_id: string | null;
  purpose: string;
  provider: string;
  model: string;
  outcome: string;
  usage: Usage;
  cost_microusd: number | null;
};

/** One row of `list_tool_servers`. */
export type ToolServerRow = { id: string; state: string; reason: string | null; trusted: boolean };

/** One row of `list_tools`. */
export type ToolRow = { name: string; server: string | null; description: string; effect: Effect; hash: string; pinned: string | null; state: string };

/** One row of `list_sessions`. */
export type SessionRow = { id: string; title: string; channel: string; last_ms: number | null; messages: number };

/** What a row of `list_agents` says besides its name: absent where the station does not tell it. */
export type AgentDetails = {
  preset?: string;
  spent_today_microusd?: number;
  limit_today_microusd?: number | null;
  tainted?: { since_ms: number; by: string } | null;
  offline?: boolean;
  sandbox?: { on: boolean; reason: string | null };
  side?: ModelChoice | null;
  provider?: string | null;
  policy?: { key: string; value: string; preset: string }[];
};

/** One part of what a model was shown. */
export type ViewPart = { entry: number | null; kind: string; origin: string | null; trust: string | null; text: string };

/** One call of a turn: what it was shown, what it took and what it cost. */
export type ViewCall = {
  id: string;
  purpose: string;
  provider: string;
  model: string;
  usage: Usage;
  cost_microusd: number | null;
  parts: ViewPart[];
};

/** The answer of `get_turn_view`. */
export type TurnView = { turn: string; calls: ViewCall[] };

/** What a row of `list_missions` says besides its name and status. */
export type MissionDetails = {
  state?: string;
  reason?: string | null;
  flags?: string[];
  compiled_at?: number | null;
  expires_at?: number | null;
  jobs?: number;
  errors?: number;
  warnings?: number;
};

/** A problem of a mission's file. */
export type MissionProblem = { code: string; message: string; line?: number | null; severity?: string };

/** The answer of `get_mission`. */
export type MissionDetail = {
  id: string;
  title: string;
  status: string;
  source: string;
  hash: string;
  activated_hash?: string | null;
  compiled?: string[];
  problems?: MissionProblem[];
  depends_on?: string[];
} & MissionDetails;

/** The answer of `activate_mission`. */
export type MissionActivated = { message: string; activation_id: string; state: string; reason: string | null };

/** The answer of `pause_mission`, `resume_mission` and `cancel_mission`. */
export type MissionChanged = { message: string; changed: boolean; still_moving?: string[]; reason?: string | null };
