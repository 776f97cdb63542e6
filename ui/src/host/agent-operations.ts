// Operations about agents, what they cost, what they think with, and missions.

import type { AgentRow } from "../bindings/AgentRow";
import type { MissionRow } from "../bindings/MissionRow";
import type { TranscriptPage } from "../bindings/TranscriptPage";
import type {
  AgentDetails,
  LocalServer,
  MissionActivated,
  MissionChanged,
  MissionDetail,
  MissionDetails,
  ModelCallRow,
  ModelChoice,
  ModelRow,
  ProviderRow,
  ProviderSettings,
  ProviderTested,
  SecretRow,
  SessionRow,
  ToolRow,
  ToolServerRow,
  TurnView,
} from "./agent-wire";

type Nothing = Record<string, never>;
type Said = { message: string };

/** Joined with all others in `operations.ts`. */
export type AgentOperations = {
  list_agents: { input: Nothing; output: (AgentRow & AgentDetails)[] };
  create_agent: { input: { id: string; preset?: string }; output: AgentRow };
  set_mode: { input: { mode: string }; output: unknown };
  add_budget: { input: { meter: string; usd: number }; output: unknown };
  send_message: { input: { session?: string; text: string }; output: { session: string; turn: string } };
  turn_steer: { input: { turn: string; text: string }; output: { message: string; position: number } };
  turn_cancel: { input: { turn: string }; output: { message: string; still_moving?: string[] } };
  get_transcript: { input: { session?: string; after?: number; limit?: number }; output: TranscriptPage };
  list_sessions: { input: Nothing; output: SessionRow[] };
  new_session: { input: Nothing; output: SessionRow };
  reset_session: { input: { session: string }; output: unknown };
  search_sessions: { input: { query: string; limit?: number }; output: { session: string; entry: number; at_ms: number; text: string }[] };
  export_session: { input: { session: string; form: "json" | "markdown" }; output: { file: string; text: string } };
  get_turn_view: { input: { turn: string }; output: TurnView };
  export_turn: { input: { turn: string; form: "json" | "markdown" }; output: { file: string; text: string } };
  list_model_calls: { input: { since?: number; limit?: number }; output: ModelCallRow[] };
  list_providers: { input: Nothing; output: ProviderRow[] };
  set_provider: { input: { id: string } & ProviderSettings; output: ProviderRow };
  remove_provider: { input: { id: string }; output: Said };
  test_provider: { input: { id: string; model?: string }; output: ProviderTested };
  detect_local_servers: { input: Nothing; output: LocalServer[] };
  list_models: { input: { provider: string }; output: ModelRow[] };
  select_model: { input: { provider?: string; model?: string; side?: ModelChoice | null }; output: unknown };
  set_secret: { input: { name: string; value: string; session_only?: boolean }; output: SecretRow };
  list_secrets: { input: Nothing; output: SecretRow[] };
  remove_secret: { input: { name: string }; output: Said };
  set_sandbox: { input: { on: boolean }; output: unknown };
  list_tool_servers: { input: Nothing; output: ToolServerRow[] };
  list_tools: { input: Nothing; output: ToolRow[] };
  pin_tool: { input: { tool: string; hash: string; effect: string }; output: ToolRow };
  unpin_tool: { input: { tool: string }; output: ToolRow };
  list_missions: { input: { status?: string; limit?: number }; output: (MissionRow & MissionDetails)[] };
  get_mission: { input: { mission_id: string; version?: string }; output: MissionDetail };
  activate_mission: { input: { mission_id: string; hash: string; reason?: string }; output: MissionActivated };
  pause_mission: { input: { mission_id: string; reason?: string }; output: MissionChanged };
  resume_mission: { input: { mission_id: string }; output: MissionChanged };
  cancel_mission: { input: { mission_id: string; reason?: string }; output: MissionChanged };
  pause_all_missions: { input: { reason?: string }; output: Said };
};
