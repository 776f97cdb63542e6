// Operations about agents, what they cost, what they think with, and missions.

import type { AgentMode } from "../generated/bindings/AgentMode";
import type { AgentRow } from "../generated/bindings/AgentRow";
import type { Effect } from "../generated/bindings/Effect";
import type { EmbeddingSelected } from "../generated/bindings/EmbeddingSelected";
import type { McpServerRow } from "../generated/bindings/McpServerRow";
import type { MissionActivated } from "../generated/bindings/MissionActivated";
import type { MissionChanged } from "../generated/bindings/MissionChanged";
import type { MissionDetail } from "../generated/bindings/MissionDetail";
import type { MissionHalted } from "../generated/bindings/MissionHalted";
import type { MissionRow } from "../generated/bindings/MissionRow";
import type { MissionsPaused } from "../generated/bindings/MissionsPaused";
import type { RoomMemberSet } from "../generated/bindings/RoomMemberSet";
import type { RoomPage } from "../generated/bindings/RoomPage";
import type { RoomPosted } from "../generated/bindings/RoomPosted";
import type { RoomRow } from "../generated/bindings/RoomRow";
import type { SandboxStatus } from "../generated/bindings/SandboxStatus";
import type { SetAsideDone } from "../generated/bindings/SetAsideDone";
import type { SummaryEdited } from "../generated/bindings/SummaryEdited";
import type { TranscriptPage } from "../generated/bindings/TranscriptPage";
import type {
  BudgetsRow,
  Exported,
  LocalServerRow,
  ModelCallList,
  ModelChoice,
  ModelList,
  ModelSelected,
  ProviderRow,
  ProviderSettings,
  ProviderTested,
  SecretRow,
  SessionRow,
  SessionsFound,
  TurnView,
} from "./agent-wire";

type Nothing = Record<string, never>;
type Said = { message: string };
type ExportForm = "json" | "markdown";

/** Joined with all others in `operations.ts`. */
export type AgentOperations = {
  list_agents: { input: Nothing; output: AgentRow[] };
  create_agent: { input: { id: string; preset?: string }; output: AgentRow };
  set_mode: { input: { mode: AgentMode }; output: { mode: AgentMode } };
  add_budget: { input: { meter: string; usd: number; turn?: string; mission_id?: string }; output: BudgetsRow };
  send_message: {
    input: { session?: string; text: string };
    output: { session: string; turn: string | null; message?: string };
  };
  turn_steer: { input: { turn: string; text: string }; output: { message: string; position: number } };
  turn_cancel: { input: { turn: string }; output: { message: string; still_moving?: string[] } };
  get_transcript: { input: { session?: string; after?: number; limit?: number }; output: TranscriptPage };
  list_sessions: { input: Nothing; output: SessionRow[] };
  new_session: { input: Nothing; output: SessionRow };
  pin_session: { input: { session: string; on: boolean }; output: SessionRow };
  reset_session: { input: { session: string }; output: SessionRow };
  set_aside_untrusted: { input: { session: string }; output: SetAsideDone };
  edit_summary: { input: { session?: string; entry: number; text: string }; output: SummaryEdited };
  search_sessions: { input: { query: string; limit?: number }; output: SessionsFound };
  export_session: { input: { session: string; form: ExportForm }; output: Exported };
  list_rooms: { input: Nothing; output: RoomRow[] };
  read_room: { input: { room: string; before?: number; limit?: number }; output: RoomPage };
  post_room: { input: { room: string; text: string }; output: RoomPosted };
  set_room_member: { input: { room: string; station: string; public_key: string | null }; output: RoomMemberSet };
  get_turn_view: { input: { turn: string }; output: TurnView };
  export_turn: { input: { turn: string; form: ExportForm }; output: Exported };
  list_model_calls: { input: { since?: number }; output: ModelCallList };
  list_providers: { input: Nothing; output: ProviderRow[] };
  set_provider: { input: { id: string } & ProviderSettings; output: ProviderRow };
  remove_provider: { input: { provider: string }; output: Said };
  test_provider: { input: { provider: string; model?: string }; output: ProviderTested };
  detect_local_servers: { input: Nothing; output: LocalServerRow[] };
  list_models: { input: { provider: string }; output: ModelList };
  select_model: { input: { provider?: string; model?: string; side?: ModelChoice }; output: ModelSelected };
  select_embedding: { input: { provider?: string; model?: string }; output: EmbeddingSelected };
  set_secret: { input: { name: string; value: string; this_session_only?: boolean }; output: SecretRow };
  list_secrets: { input: Nothing; output: SecretRow[] };
  delete_secret: { input: { name: string }; output: Said };
  get_sandbox: { input: Nothing; output: SandboxStatus };
  set_sandbox: { input: { on: boolean }; output: Said };
  list_mcp_servers: { input: Nothing; output: McpServerRow[] };
  add_mcp_server: {
    input: { id: string; command?: string[]; program_folders?: string[]; url?: string; trusted?: boolean };
    output: Said;
  };
  remove_mcp_server: { input: { id: string }; output: Said };
  pin_mcp_tool: { input: { server: string; tool: string; hash: string; effect?: Effect }; output: Said };
  unpin_mcp_tool: { input: { server: string; tool: string }; output: Said };
  list_missions: { input: { status?: string; limit?: number }; output: MissionRow[] };
  get_mission: { input: { mission_id: string; version?: string }; output: MissionDetail };
  activate_mission: { input: { mission_id: string; hash: string; reason?: string }; output: MissionActivated };
  pause_mission: { input: { mission_id: string; reason?: string }; output: MissionHalted };
  resume_mission: { input: { mission_id: string; answer?: "start" | "check_again" }; output: MissionChanged };
  cancel_mission: { input: { mission_id: string; reason?: string }; output: MissionHalted };
  complete_mission: { input: { mission_id: string; reason?: string }; output: MissionChanged };
  pause_all_missions: { input: { reason?: string }; output: MissionsPaused };
};
