// What the operations about agents, models and missions carry.

import type { Effect } from "../bindings/Effect";
import type { ModelName } from "../bindings/ModelName";
import type { Trust } from "../bindings/Trust";
import type { Usage } from "../bindings/Usage";

/** A tool, as a call of it is told. */
export type ToolCalled = { call: string; name: string; args: unknown; effect: Effect };

/** What kind of server a provider is. */
export type ServerKind = "anthropic" | "openai" | "gemini" | "llama_cpp" | "ollama" | "lm_studio" | "vllm" | "openai_compatible";

/** Where a language model is reached, as it is written into `config.toml`. */
export type ProviderSettings = { kind: ServerKind; base?: string; key?: string; local?: boolean; window?: number; models?: string[] };

/** One row of `list_providers`, and the answer of `set_provider`. */
export type ProviderRow = {
  id: string;
  kind: ServerKind;
  base: string;
  local: boolean;
  key: string | null;
  key_is_set: boolean;
  window: number | null;
  models: string[];
  agents: string[];
};

/** Why a provider did not answer. */
export type ProviderFailure = { kind: string; message: string; status: number | null };

/** The answer of `test_provider`. */
export type ProviderTested = { model: string; latency_ms: number; said: string | null; error: ProviderFailure | null };

/** One row of `detect_local_servers`. */
export type LocalServerRow = { kind: ServerKind; base: string; models: string[]; window: number | null; provider: string | null };

/** A model of a provider. */
export type ModelChoice = { provider: string; model: string };

/** One row of `list_models`. */
export type ModelRow = { name: string; window: number; output_max: number; native_tools: boolean; price: unknown; served: boolean };

/** The answer of `list_models`. */
export type ModelList = { models: ModelRow[]; error: ProviderFailure | null };

/** The answer of `select_model`. */
export type ModelSelected = { agent: string; model: ModelName; side: ModelChoice | null };

/** Where a key is kept. */
export type SecretKept = "keychain" | "environment" | "session";

/** One row of `list_secrets`; the key itself never leaves the station. */
export type SecretRow = { name: string; last4: string; set_at: number | null; kept: SecretKept };

/** What has been spent of a budget. */
export type BudgetRow = { spent_microusd: number; unknown_calls: number; limit_microusd: number | null };

/** The answer of `add_budget`. */
export type BudgetsRow = { turn: BudgetRow | null; mission: BudgetRow | null; day: BudgetRow };

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
  price: unknown;
  usage_raw: unknown;
  usage: Usage;
  cached_share: number;
  cost_microusd: number | null;
};

/** The answer of `list_model_calls`. */
export type ModelCallList = { calls: ModelCallRow[]; is_cut: boolean; today: string; day: BudgetRow };

/** A part of a message that a model was shown; texts stand in it by their hash. */
export type ViewBlock =
  | { kind: "text"; hash: string; trust: Trust }
  | { kind: "call"; id: string; name: string; hash: string }
  | { kind: "result"; call: string; hash: string; is_error: boolean; trust: Trust };

/** One message of a request. */
export type ViewMessage = { speaker: string; origin: string; entry: number | null; blocks: ViewBlock[]; replayed: string | null };

/** The parts of one request, in order. */
export type ViewLayout = {
  epoch: number;
  system: string[];
  tools: string | null;
  choice: unknown;
  output_max: number;
  transient_from: number | null;
  messages: ViewMessage[];
};

/** The answer of `get_turn_view`: what the model was shown in each call of a turn, as it was shown. */
export type TurnView = { turn: string; session: string; calls: { row: ModelCallRow; layout: ViewLayout | null }[]; texts: Record<string, string> };

/** A file as an operation gives it out. */
export type Exported = { name: string; text: string };

/** One row of `list_sessions`. */
export type SessionRow = {
  session: string;
  channel: "desk" | "autonomy" | "room";
  title: string | null;
  started_ms: number | null;
  last_ms: number | null;
  messages: number;
  epoch: number;
  pinned: boolean;
  running: string | null;
  model: string | null;
  cost_microusd: number | null;
};

/** The answer of `search_sessions`. */
export type SessionsFound = { items: { session: string; entry: number; at_ms: number; origin: string; trust: Trust; excerpt: string }[]; partial: boolean };

/** What a row of `list_agents` says besides its name: absent where the station does not tell it. */
export type AgentDetails = {
  side?: ModelChoice | null;
  provider?: string | null;
};
