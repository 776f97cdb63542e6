// The operations that a window may call. Written by `cargo xtask gen` from the operation table.

import type { Activated } from "./bindings/Activated";
import type { AdminGranted } from "./bindings/AdminGranted";
import type { AgentRow } from "./bindings/AgentRow";
import type { AlarmReport } from "./bindings/AlarmReport";
import type { AlarmRow } from "./bindings/AlarmRow";
import type { AlarmsChanged } from "./bindings/AlarmsChanged";
import type { AlertRegistered } from "./bindings/AlertRegistered";
import type { AlertRow } from "./bindings/AlertRow";
import type { Approved } from "./bindings/Approved";
import type { AuditAccepted } from "./bindings/AuditAccepted";
import type { AuditCheck } from "./bindings/AuditCheck";
import type { AuditExport } from "./bindings/AuditExport";
import type { AuditRecord } from "./bindings/AuditRecord";
import type { AuditState } from "./bindings/AuditState";
import type { BeliefForgotten } from "./bindings/BeliefForgotten";
import type { BeliefFound } from "./bindings/BeliefFound";
import type { BeliefHistory } from "./bindings/BeliefHistory";
import type { BeliefRow } from "./bindings/BeliefRow";
import type { BeliefUpdated } from "./bindings/BeliefUpdated";
import type { BudgetsRow } from "./bindings/BudgetsRow";
import type { CameraFrame } from "./bindings/CameraFrame";
import type { Changed } from "./bindings/Changed";
import type { CommandChecked } from "./bindings/CommandChecked";
import type { CommandOutcome } from "./bindings/CommandOutcome";
import type { CommissioningRow } from "./bindings/CommissioningRow";
import type { Completed } from "./bindings/Completed";
import type { Connections } from "./bindings/Connections";
import type { ConstraintChanged } from "./bindings/ConstraintChanged";
import type { ConstraintPreview } from "./bindings/ConstraintPreview";
import type { ConstraintRegistered } from "./bindings/ConstraintRegistered";
import type { ConstraintRow } from "./bindings/ConstraintRow";
import type { ContextConfigured } from "./bindings/ContextConfigured";
import type { ContextRow } from "./bindings/ContextRow";
import type { ContextTested } from "./bindings/ContextTested";
import type { ControlRow } from "./bindings/ControlRow";
import type { CredentialsExport } from "./bindings/CredentialsExport";
import type { DrillRow } from "./bindings/DrillRow";
import type { DrillRun } from "./bindings/DrillRun";
import type { EmbeddingSelected } from "./bindings/EmbeddingSelected";
import type { EventRow } from "./bindings/EventRow";
import type { FallbackRow } from "./bindings/FallbackRow";
import type { Fetched } from "./bindings/Fetched";
import type { FetchedBatch } from "./bindings/FetchedBatch";
import type { JobDetail } from "./bindings/JobDetail";
import type { JobRow } from "./bindings/JobRow";
import type { LocalServerRow } from "./bindings/LocalServerRow";
import type { LockRow } from "./bindings/LockRow";
import type { ManifestMeaning } from "./bindings/ManifestMeaning";
import type { McpServerRow } from "./bindings/McpServerRow";
import type { MemoryForgotten } from "./bindings/MemoryForgotten";
import type { MemoryFound } from "./bindings/MemoryFound";
import type { MemoryRecord } from "./bindings/MemoryRecord";
import type { MemoryReviewRow } from "./bindings/MemoryReviewRow";
import type { Message } from "./bindings/Message";
import type { MessageSent } from "./bindings/MessageSent";
import type { MissionDetail } from "./bindings/MissionDetail";
import type { MissionDrafted } from "./bindings/MissionDrafted";
import type { MissionDryRun } from "./bindings/MissionDryRun";
import type { MissionGraph } from "./bindings/MissionGraph";
import type { MissionHalted } from "./bindings/MissionHalted";
import type { MissionHistory } from "./bindings/MissionHistory";
import type { MissionLayoutSaved } from "./bindings/MissionLayoutSaved";
import type { MissionRemoved } from "./bindings/MissionRemoved";
import type { MissionRow } from "./bindings/MissionRow";
import type { MissionRuns } from "./bindings/MissionRuns";
import type { MissionSaved } from "./bindings/MissionSaved";
import type { MissionValidated } from "./bindings/MissionValidated";
import type { MissionsImported } from "./bindings/MissionsImported";
import type { MissionsPaused } from "./bindings/MissionsPaused";
import type { ModeSet } from "./bindings/ModeSet";
import type { ModelCallList } from "./bindings/ModelCallList";
import type { ModelList } from "./bindings/ModelList";
import type { ModelSelected } from "./bindings/ModelSelected";
import type { NoteRemembered } from "./bindings/NoteRemembered";
import type { NoteRow } from "./bindings/NoteRow";
import type { NoticeState } from "./bindings/NoticeState";
import type { OperationDescription } from "./bindings/OperationDescription";
import type { PairingView } from "./bindings/PairingView";
import type { ProgramEnded } from "./bindings/ProgramEnded";
import type { Proposal } from "./bindings/Proposal";
import type { ProposalCreated } from "./bindings/ProposalCreated";
import type { ProposalSeen } from "./bindings/ProposalSeen";
import type { ProviderRow } from "./bindings/ProviderRow";
import type { ProviderTested } from "./bindings/ProviderTested";
import type { Released } from "./bindings/Released";
import type { ReviewDecided } from "./bindings/ReviewDecided";
import type { RobotAdded } from "./bindings/RobotAdded";
import type { RobotDraft } from "./bindings/RobotDraft";
import type { RobotMap } from "./bindings/RobotMap";
import type { RobotMesh } from "./bindings/RobotMesh";
import type { RobotModel } from "./bindings/RobotModel";
import type { RobotPrepared } from "./bindings/RobotPrepared";
import type { RobotRemoved } from "./bindings/RobotRemoved";
import type { RobotRow } from "./bindings/RobotRow";
import type { RobotSafety } from "./bindings/RobotSafety";
import type { RoomMemberSet } from "./bindings/RoomMemberSet";
import type { RoomPage } from "./bindings/RoomPage";
import type { RoomPosted } from "./bindings/RoomPosted";
import type { RoomRow } from "./bindings/RoomRow";
import type { SafetySetting } from "./bindings/SafetySetting";
import type { SafetyStatus } from "./bindings/SafetyStatus";
import type { SandboxStatus } from "./bindings/SandboxStatus";
import type { ScanReport } from "./bindings/ScanReport";
import type { SchedulePreview } from "./bindings/SchedulePreview";
import type { Scheduled } from "./bindings/Scheduled";
import type { ScreenNoted } from "./bindings/ScreenNoted";
import type { SecretRow } from "./bindings/SecretRow";
import type { Sent } from "./bindings/Sent";
import type { SessionExport } from "./bindings/SessionExport";
import type { SessionInfo } from "./bindings/SessionInfo";
import type { SessionRow } from "./bindings/SessionRow";
import type { SessionsFound } from "./bindings/SessionsFound";
import type { SetAsideDone } from "./bindings/SetAsideDone";
import type { SitePlanRow } from "./bindings/SitePlanRow";
import type { SitePlanSaved } from "./bindings/SitePlanSaved";
import type { StandingApprovalChanged } from "./bindings/StandingApprovalChanged";
import type { StandingApprovalRow } from "./bindings/StandingApprovalRow";
import type { SteerQueued } from "./bindings/SteerQueued";
import type { StopPressed } from "./bindings/StopPressed";
import type { SummaryEdited } from "./bindings/SummaryEdited";
import type { TokenCreated } from "./bindings/TokenCreated";
import type { TokenRow } from "./bindings/TokenRow";
import type { ToolAnswer } from "./bindings/ToolAnswer";
import type { TopicRow } from "./bindings/TopicRow";
import type { TranscriptPage } from "./bindings/TranscriptPage";
import type { TurnCancelled } from "./bindings/TurnCancelled";
import type { TurnExport } from "./bindings/TurnExport";
import type { TurnView } from "./bindings/TurnView";
import type { VerdictRow } from "./bindings/VerdictRow";
import type { WhyIdle } from "./bindings/WhyIdle";
import type { WorldExplained } from "./bindings/WorldExplained";
import type { WorldPoint } from "./bindings/WorldPoint";
import type { WorldRow } from "./bindings/WorldRow";
import type { WorldStoreStatus } from "./bindings/WorldStoreStatus";

/** By name. */
export type Operations = {
  /** Takes an audit that differs from what was written as it was found, with its limits. */
  accept_audit: { input: { found: Array<string>; reason: string }; output: AuditAccepted };
  /** Accepts, with a reason, that a robot keeps moving when its gate dies. */
  accept_keeps_moving: { input: { reason: string; robot: string }; output: CommissioningRow };
  /** Accepts the notice about the limits of STOP ALL. The first acceptance counts. */
  accept_notice: { input: Record<string, never>; output: NoticeState };
  /** Says that somebody saw alarms. Silences them, clears nothing. */
  acknowledge_alarms: { input: { ids: Array<string>; seq: number }; output: AlarmsChanged };
  /** Names a cause of a robot's state that is over, and says why. */
  acknowledge_cause: { input: { cause: "beat_late" | "beat_lost" | "pose_stale" | "transform_stale" | "source_stale" | "sensor_frozen" | "pose_implausible" | "sensor_disagreement" | "breach_ahead" | "breach" | "over_speed" | "over_force" | "unexpected_motion" | "lease_expired" | "operator_absent" | "validator_error" | "validator_slow" | "set_unreadable" | "set_tampered" | "store_unavailable" | "set_emptied" | "audit_unavailable" | "process_suspended" | "unclean_restart" | "stop_all" | "stop_robot" | "hold_requested" | "stop_unconfirmed" | "epoch_conflict" | "robot_gate_fault" | "identity_mismatch" | "state_fault"; reason: string; robot: string }; output: RobotSafety };
  /** Raises this window to Admin for 15 minutes, with the Admin PIN if one is set. */
  act_as_admin: { input: { pin?: string | null }; output: AdminGranted };
  /** Lets exactly one text of a mission run; from anybody but a person it is a proposal. */
  activate_mission: { input: { accept?: Array<{ code: string; line: number }>; dry_run_id?: string | null; grant?: Array<number>; hash: string; mission_id: string; reason?: string | null }; output: Activated };
  /** Adds to what an agent may spend. */
  add_budget: { input: { meter: "turn" | "mission" | "day"; mission_id?: string | null; turn?: string | null; usd: number }; output: BudgetsRow };
  /** Connects an external MCP server. */
  add_mcp_server: { input: { command?: Array<string>; id: string; program_folders?: Array<string>; trusted?: boolean; url?: string | null }; output: Message };
  /** Adds a robot by its manifest, which is kept. It starts disarmed. */
  add_robot: { input: { manifest: string }; output: RobotAdded };
  /** Counts of alarms over a span of time, by their source. */
  alarm_figures: { input: { from?: number | null; to?: number | null }; output: AlarmReport };
  /** Gives control to the person who asks, or refuses. */
  answer_control_request: { input: { allow: boolean; id: string }; output: ControlRow };
  /** Approves exactly what was shown, once. */
  approve_proposal: { input: { action_hash: string; id: string; version: number }; output: Approved };
  /** Lets motion of a robot pass its limits' check. */
  arm_robot: { input: { reason?: string | null; robot: string }; output: RobotSafety };
  /** Differences between the stored audit and what was written, if any. */
  audit_state: { input: Record<string, never>; output: AuditState };
  /** Arms a robot for the slow steps of commissioning alone. */
  begin_commissioning: { input: { at_hardware_stop: boolean; robot: string }; output: RobotSafety };
  /** Changes of a belief over time, each with its reason. */
  belief_history: { input: { from?: number | null; id?: string | null; max_points?: number | null; predicate?: string | null; subject?: string | null; to?: number | null }; output: BeliefHistory };
  /** Calls a tool of an external MCP server. */
  call_mcp_tool: { input: { arguments?: Record<string, unknown>; tool: string }; output: ToolAnswer };
  /** The newest picture of a robot's camera, or why there is none. */
  camera_frame: { input: { after_mono_ms?: number | null; camera: string; robot: string }; output: CameraFrame | ArrayBuffer };
  /** Ends a job for good. */
  cancel_job: { input: { id: string }; output: JobRow };
  /** Ends a mission for good. */
  cancel_mission: { input: { mission_id: string; reason?: string | null }; output: MissionHalted };
  /** Ends the scan for robots that runs. */
  cancel_scan: { input: Record<string, never>; output: Message };
  /** Judges a command without sending it. */
  check_command: { input: { actuator: string; force_n?: number | null; frame?: string | null; id?: string | null; mission_id?: string | null; motion: { pose_goal: { duration_s?: number | null; orientation?: Array<number> | null; position_m: Array<number>; speed_mps?: number | null } } | { path: { points_m: Array<Array<number>>; speed_mps?: number | null } } | { velocity: { angular_radps: Array<number>; linear_mps: Array<number> } } | { joints: { names: Array<string>; positions_rad: Array<number>; speed_radps?: number | null } } | { gripper: { opening_m: number; speed_mps?: number | null } } | { switch: { on: boolean } } | { escape: { position_m: Array<number>; speed_mps?: number | null } }; robot: string; ttl_ms?: number | null }; output: CommandChecked };
  /** Says what a manifest means, and adds nothing. */
  check_manifest: { input: { manifest: string }; output: ManifestMeaning };
  /** Ends the pairing that is open. */
  close_pairing: { input: Record<string, never>; output: PairingView };
  /** Calls a mission, or a goal of it, done. From anybody but a person it is a proposal. */
  complete_mission: { input: { goal?: number | null; mission_id: string; reason?: string | null }; output: Completed };
  /** Turns samples of a key expression into world state. */
  configure_context: { input: { closed_sets?: Record<string, Array<string>>; codec?: "auto" | "json" | "cbor" | "text"; confidence_default?: number | null; confidence_field?: string | null; envelope?: "auto" | "none"; filter?: string | null; max_age_secs?: number; max_keys?: number; min_interval_secs?: number; mission_id?: string | null; origin?: "measured" | "estimated" | "replay"; rows?: string | null; timestamp_field?: string | null; topic_pattern: string; unit?: string | null; value_field: string; world_state_key_template: string }; output: ContextConfigured };
  /** Says that a belief is right. */
  confirm_belief: { input: { id: string }; output: BeliefRow };
  /** Says that the gate shows the same digits. The robot is added once the gate says so too. */
  confirm_pairing: { input: { digits: string }; output: PairingView };
  /** Makes an agent with a memory of its own. */
  create_agent: { input: { id: string; model?: { model: string; provider: string } | null; preset?: string | null }; output: AgentRow };
  /** Asks a person to let an operation happen. */
  create_proposal: { input: { input: unknown; mission_id?: string | null; operation: string; reason: string }; output: ProposalCreated };
  /** Makes a token, and shows it this once. */
  create_token: { input: { days?: number | null; kind: "person" | "machine"; label: string; only_stops?: boolean; role: "viewer" | "operator" | "admin" }; output: TokenCreated };
  /** Lets a change of memory through, or not. */
  decide_memory_review: { input: { accept: boolean; edited?: string | null; id: string }; output: ReviewDecided };
  /** Forgets a key of a provider. */
  delete_secret: { input: { name: string }; output: Message };
  /** An operation with its terms, an example, and the schemas of what goes in and comes out. */
  describe_operation: { input: { name: string }; output: OperationDescription };
  /** Model servers of this computer, on the ports they have by default. */
  detect_local_servers: { input: Record<string, never>; output: Array<LocalServerRow> };
  /** Ends motion permission of a robot. */
  disarm_robot: { input: { looked?: boolean; robot: string }; output: RobotSafety };
  /** Makes a new draft of a mission from a template or a text. Nothing runs before a person activates it. */
  draft_mission: { input: { cron?: string | null; mission_id?: string | null; place?: string | null; source?: string | null; template?: string | null; title?: string | null; until?: string | null }; output: MissionDrafted };
  /** Makes a manifest and a wiring of fields, says what is open, and keeps nothing. */
  draft_robot: { input: { fields: Array<{ at?: string; field: "robot" | "site" | "hardware_stop" | "domain" | "namespace" | "pose" | "frame" | "velocity" | "joints" | "command_topic" | "mux" | "lock" | "navigate" | "trajectory" | "joint_limits" | "stop_services" | "cancel_actions" | "forward" | "cameras" | "map" | "radius" | "localisation_error" | "margin" | "speed" | "rotation" | "acceleration" | "goal_jump" | "workspace" | "envelope" | "stop_behaviour" | "carries_load" | "reaction" | "braking" | "standstill" | "standstill_rotation"; is_guess?: boolean; source?: "address" | "namespace" | "node" | "topic" | "message" | "transforms" | "covariance" | "service" | "action" | "description" | "parameter" | "usual" | null; value: string }>; protocol: "ros2_dds" | "ros2_zenoh" }; output: RobotDraft };
  /** Judges every step of a mission in the order of a run; sends nothing. */
  dry_run_mission: { input: { hash?: string | null; mission_id: string; recorded?: boolean }; output: MissionDryRun };
  /** Sends a proposal's command with other numbers. */
  edit_proposal: { input: { id: string; input: unknown; version: number }; output: CommandOutcome };
  /** Puts other words in the place of a summary. */
  edit_summary: { input: { entry: number; session?: string | null; text: string }; output: SummaryEdited };
  /** Ends acting as Admin. */
  end_admin: { input: Record<string, never>; output: AdminGranted };
  /** A verdict with every limit it rests on. */
  explain_verdict: { input: { id: string }; output: CommandChecked };
  /** Causes of an entry's value: every source's claim, its context, the raw sample, the rules on it. */
  explain_world_entry: { input: { key: string }; output: WorldExplained };
  /** Records as lines of JSON, to check elsewhere. */
  export_audit: { input: { after?: number | null }; output: AuditExport };
  /** A whole conversation as one file. */
  export_session: { input: { form: "json" | "markdown"; session: string }; output: SessionExport };
  /** A turn as one file for a report. */
  export_turn: { input: { form: "json" | "markdown"; turn: string }; output: TurnExport };
  /** Brings up to 16 things from declared sources into the sandbox's folder. */
  fetch_batch_to_sandbox: { input: { fetches: Array<{ params?: Record<string, unknown>; source: string }> }; output: FetchedBatch };
  /** Brings something from a declared source into the sandbox's folder. */
  fetch_to_sandbox: { input: { params?: Record<string, unknown>; source: string }; output: Fetched };
  /** Takes control of a robot from another person, with a reason. */
  force_control: { input: { reason: string; robot: string }; output: ControlRow };
  /** Erases a belief with its history. */
  forget_belief: { input: { id: string; reason: string }; output: BeliefForgotten };
  /** Beliefs about a subject. */
  get_belief: { input: { predicate?: string | null; subject: string }; output: BeliefFound };
  /** A robot's gate and how far its commissioning is. */
  get_commissioning: { input: { robot: string }; output: CommissioningRow };
  /** The network: profile, routers, certificates, and which part of the way to a robot fails. */
  get_connections: { input: Record<string, never>; output: Connections };
  /** A job with its last 20 runs. */
  get_job: { input: { id: string }; output: JobDetail };
  /** One mission with its text, or an earlier one, and what it waits for. */
  get_mission: { input: { mission_id: string; version?: string | null }; output: MissionDetail };
  /** The pairing that is open: its digits, its robot, and why a try failed. */
  get_pairing: { input: Record<string, never>; output: PairingView };
  /** A record, whole, with the one that led to it. */
  get_record: { input: { id: string }; output: MemoryRecord };
  /** The safety engine's numbers in this run, and the range of each. */
  get_safety_settings: { input: Record<string, never>; output: Array<SafetySetting> };
  /** The sandbox of an agent, its sources, and the declared programs and hooks. */
  get_sandbox: { input: Record<string, never>; output: SandboxStatus };
  /** The site plan: walls and named areas. A picture: it stops no robot. */
  get_site_plan: { input: { walls?: boolean | null }; output: SitePlanRow };
  /** Entries of a conversation, oldest first. */
  get_transcript: { input: { after?: number | null; limit?: number | null; session?: string | null }; output: TranscriptPage };
  /** The prompt of each model call of a turn. */
  get_turn_view: { input: { turn: string }; output: TurnView };
  /** Lets motions within bounds happen without a click each. */
  grant_standing_approval: { input: { count: number; envelope: { actuator: string; force_n_max?: number | null; frame?: string | null; speed_mps_max: number; workspace: { x: Array<number>; y: Array<number>; z: Array<number> } }; hours: number; mission_id?: string | null; operation: string; robot: string }; output: StandingApprovalChanged };
  /** Lets one robot move with an incomplete set of limits for up to an hour; 0 minutes end that. */
  grant_unconstrained: { input: { minutes: number; reason: string; robot: string }; output: RobotSafety };
  /** Gives control of a robot to the agent. */
  hand_to_agent: { input: { robot: string }; output: ControlRow };
  /** Ends every motion of one robot until an operator acknowledges it. */
  hold_robot: { input: { robot: string }; output: RobotSafety };
  /** Brings in mission files as drafts. */
  import_missions: { input: { files: Array<{ bytes_base64: string; name: string }>; on_conflict?: "ask" | "skip" | "replace" }; output: MissionsImported };
  /** Switches a fault of the simulator on or off. */
  inject_fault: { input: { fault: string; on: boolean; target: string }; output: Message };
  /** Makes certificates and the router's rules, and exports them once. */
  issue_credentials: { input: { folder: string; robots?: Array<string> | null; router?: string | null }; output: CredentialsExport };
  /** Moves an actuator while it is repeated, step by step towards a velocity. */
  jog: { input: { actuator: string; angular_radps: Array<number>; linear_mps: Array<number>; robot: string }; output: CommandOutcome };
  /** Ends a step of commissioning; a hardware stop that was pressed was not seen. */
  let_go_commissioning_step: { input: { robot: string }; output: CommissioningRow };
  /** The agents of this station. */
  list_agents: { input: Record<string, never>; output: Array<AgentRow> };
  /** Alarms that need a response, the most urgent first. */
  list_alarms: { input: { preset?: "active" | "unacknowledged" | "shelved" | "suppressed" | "out_of_service" | "all"; since?: number | null }; output: Array<AlarmRow> };
  /** Alert rules with state and last firing. */
  list_alerts: { input: { mission_id?: string | null }; output: Array<AlertRow> };
  /** Records of acts, refusals and commands sent, oldest first. */
  list_audit: { input: { after?: number | null; from_ms?: number | null; limit?: number | null }; output: Array<AuditRecord> };
  /** Beliefs, by subject and predicate. */
  list_beliefs: { input: { after?: string | null; changed_since?: number | null; limit?: number | null; query?: string | null; state?: "held" | "weak" | "faded" | "challenged" | null; subject?: string | null }; output: Array<BeliefRow> };
  /** The limits that bind a robot or belong to a mission. */
  list_constraints: { input: { mission_id?: string | null; robot?: string | null }; output: Array<ConstraintRow> };
  /** Contexts with state, rates and rejects. */
  list_contexts: { input: { mission_id?: string | null }; output: Array<ContextRow> };
  /** Tests of the stop path, newest first. */
  list_drills: { input: { robot?: string | null }; output: Array<DrillRow> };
  /** Events that need no answer, the newest first. */
  list_events: { input: { after?: number | null; limit?: number | null }; output: Array<EventRow> };
  /** Fallbacks for each class of failure, with the progress of its newest run. */
  list_fallbacks: { input: { robot?: string | null }; output: Array<FallbackRow> };
  /** Jobs with state and next time. */
  list_jobs: { input: { mission_id?: string | null; status?: "pending" | "waiting" | "running" | "paused" | "completed" | "failed" | "cancelled" | "dead_letter" | null }; output: Array<JobRow> };
  /** Every actuator and whose motion uses it. */
  list_locks: { input: Record<string, never>; output: Array<LockRow> };
  /** External MCP servers and the tools that they offer. */
  list_mcp_servers: { input: Record<string, never>; output: Array<McpServerRow> };
  /** Changes of memory that wait for a person's look, newest first. */
  list_memory_reviews: { input: Record<string, never>; output: Array<MemoryReviewRow> };
  /** Runs of a mission with their goals, the newest first. */
  list_mission_runs: { input: { before?: number | null; limit?: number | null; mission_id: string }; output: MissionRuns };
  /** Missions with their status. */
  list_missions: { input: { after?: string | null; limit?: number | null; status?: "draft" | "active" | "paused" | "completed" | "failed" | "cancelled" | null }; output: Array<MissionRow> };
  /** Calls of models with what they cost. */
  list_model_calls: { input: { since?: number | null }; output: ModelCallList };
  /** Models of a provider, with window and price. */
  list_models: { input: { provider: string }; output: ModelList };
  /** The notes of MEMORY.md and knowledge.md. */
  list_notes: { input: Record<string, never>; output: Array<NoteRow> };
  /** Proposals, newest first. */
  list_proposals: { input: { mission_id?: string | null; since?: string | null; state?: "waiting" | "recheck" | "rejected" | "expired" | "voided" | "approved" | "dispatched" | "received" | "running" | "done" | "done_not_confirmed" | "failed" | "unknown" | null }; output: Array<Proposal> };
  /** Providers of language models. */
  list_providers: { input: Record<string, never>; output: Array<ProviderRow> };
  /** The newest map of each robot that shows one, and where it lies. */
  list_robot_maps: { input: { seen?: Array<{ observed_mono_ms: number; robot: string }> }; output: Array<RobotMap> };
  /** Robots with actuators, pose, limits and link. */
  list_robots: { input: Record<string, never>; output: Array<RobotRow> };
  /** The rooms of several stations, and what they drop. */
  list_rooms: { input: Record<string, never>; output: Array<RoomRow> };
  /** Names and last characters of the keys. */
  list_secrets: { input: Record<string, never>; output: Array<SecretRow> };
  /** The conversations, the newest first. */
  list_sessions: { input: Record<string, never>; output: Array<SessionRow> };
  /** Standing approvals that hold, oldest first. */
  list_standing_approvals: { input: Record<string, never>; output: Array<StandingApprovalRow> };
  /** The tokens that sign people and programs in. */
  list_tokens: { input: Record<string, never>; output: Array<TokenRow> };
  /** Received topics, with rate, size, age and form. */
  list_topics: { input: Record<string, never>; output: Array<TopicRow> };
  /** The newest verdicts on what was sent or proposed in this run. */
  list_verdicts: { input: { robot?: string | null }; output: Array<VerdictRow> };
  /** The world state now, with confidence and age. */
  list_world_state: { input: { after?: string | null; freshness?: Array<"live" | "aging" | "stale" | "lost" | "never"> | null; limit?: number | null; prefix?: string | null }; output: Array<WorldRow> };
  /** Lets this session only look and stop. */
  lock_screen: { input: Record<string, never>; output: AdminGranted };
  /** Makes a limit looser, as it was shown. */
  loosen_constraint: { input: { id: string; params_json: string; preview_id: string; reason: string; version: number }; output: ConstraintChanged };
  /** Takes records, and what they say, out of everything the agent keeps. */
  memory_forget: { input: { dry_run?: boolean; ids?: Array<string> | null; older_than_days?: number | null; query?: string | null; reason: string }; output: MemoryForgotten };
  /** Finds what happened, by words, newest weighed most. */
  memory_search: { input: { limit?: number | null; match?: "any" | "all" | null; mission_id?: string | null; query: string; role?: "user" | "assistant" | "tool" | "alert" | "job" | "mission" | "belief" | "note" | "plan" | "system" | null; since?: string | null; until?: string | null }; output: MemoryFound };
  /** Missions with what each waits for, and what may be done with it. */
  mission_graph: { input: { after?: string | null; limit?: number | null }; output: MissionGraph };
  /** Steps in the life of a mission with their authors, and the texts that its file had. */
  mission_history: { input: { before?: number | null; limit?: number | null; mission_id: string }; output: MissionHistory };
  /** Begins a further conversation. */
  new_session: { input: Record<string, never>; output: SessionRow };
  /** Acceptance of the notice about the limits of STOP ALL. */
  notice_state: { input: Record<string, never>; output: NoticeState };
  /** Waits five minutes for a gate that wants to be paired; behind a router at an address of its own. */
  open_pairing: { input: { address?: string | null }; output: PairingView };
  /** Makes every mission of every agent stand still. */
  pause_all_missions: { input: { reason?: string | null }; output: MissionsPaused };
  /** Pauses a job that waits for its time. */
  pause_job: { input: { id: string }; output: JobRow };
  /** Makes a mission stand still. */
  pause_mission: { input: { mission_id: string; reason?: string | null }; output: MissionHalted };
  /** Keeps a belief from decaying for a time. */
  pin_belief: { input: { id: string; until?: number | null }; output: BeliefRow };
  /** Lets agents call a tool of an MCP server, as it is now. */
  pin_mcp_tool: { input: { effect?: "read" | "write" | "actuate" | "irreversible" | null; hash: string; server: string; tool: string }; output: Message };
  /** Keeps a conversation at the top. */
  pin_session: { input: { on: boolean; session: string }; output: SessionRow };
  /** Says something in a room, to operators of other stations. */
  post_room: { input: { room: string; text: string }; output: RoomPosted };
  /** Writes the manifest and the wiring of a new robot into a folder, for its gate to be paired. */
  prepare_robot: { input: { fields: Array<{ at?: string; field: "robot" | "site" | "hardware_stop" | "domain" | "namespace" | "pose" | "frame" | "velocity" | "joints" | "command_topic" | "mux" | "lock" | "navigate" | "trajectory" | "joint_limits" | "stop_services" | "cancel_actions" | "forward" | "cameras" | "map" | "radius" | "localisation_error" | "margin" | "speed" | "rotation" | "acceleration" | "goal_jump" | "workspace" | "envelope" | "stop_behaviour" | "carries_load" | "reaction" | "braking" | "standstill" | "standstill_rotation"; is_guess?: boolean; source?: "address" | "namespace" | "node" | "topic" | "message" | "transforms" | "covariance" | "service" | "action" | "description" | "parameter" | "usual" | null; value: string }>; folder: string; protocol: "ros2_dds" | "ros2_zenoh" }; output: RobotPrepared };
  /** Shows what changing or removing a limit would do. */
  preview_constraint_change: { input: { id: string; params_json?: string | null }; output: ConstraintPreview };
  /** The next five times of a schedule, and the schedule in words. */
  preview_schedule: { input: { at?: string | null; cron_schedule?: string | null; every_secs?: number | null; grace_secs?: number | null; input?: unknown; max_retries?: number | null; missed?: "once" | "skip" | "all" | null; mission_id?: string | null; name?: string | null; operation?: string | null; prompt?: string | null; recurrence?: boolean | null; time_zone?: string | null }; output: SchedulePreview };
  /** Says that a proposal stands on this screen. */
  proposal_shown: { input: { id: string }; output: ProposalSeen };
  /** Messages of a room, oldest first. */
  read_room: { input: { before?: number | null; limit?: number | null; room: string }; output: RoomPage };
  /** Puts a locked robot into service again. */
  recommission: { input: { reason: string; robot: string }; output: RobotSafety };
  /** Registers a rule that fires when its predicate becomes true. */
  register_alert: { input: { alarm?: { cause?: string | null; consequence?: "harm" | "damage" | "mission" | "none" | null; latching?: boolean; off_delay_secs?: number; response?: string | null; suppress_when?: string | null; time_to_respond_secs?: number | null } | null; arousal_boost?: number; debounce_secs?: number; description?: string | null; mission_id?: string | null; predicate: string }; output: AlertRegistered };
  /** Adds a limit to a robot or a mission. */
  register_constraint: { input: { actuator?: string | null; constraint_type: string; frame?: string | null; mission_id?: string | null; params_json: string; reason?: string | null; robot?: string | null }; output: ConstraintRegistered };
  /** Rejects a proposal with a reason. */
  reject_proposal: { input: { id: string; note?: string | null; reason: "wrong_place" | "wrong_robot" | "not_now" | "unsafe" | "other"; version: number }; output: Approved };
  /** Gives up control of a robot, to nobody. */
  release_control: { input: { robot: string }; output: ControlRow };
  /** Ends exactly the named stops for the named robots. */
  release_stop: { input: { reason: string; robots: Array<string>; stop_ids: Array<number> }; output: Released };
  /** Writes a note to MEMORY.md, or under a title to knowledge.md. */
  remember_note: { input: { text: string; title?: string | null }; output: NoteRemembered };
  /** Removes the PIN: anyone at this desk can act as Admin. */
  remove_admin_pin: { input: Record<string, never>; output: Message };
  /** Removes a limit, as it was shown. */
  remove_constraint: { input: { id: string; preview_id: string; reason: string; version: number }; output: ConstraintChanged };
  /** Stops a context and takes back what it claims; history stays. */
  remove_context: { input: { id: string }; output: Message };
  /** Disconnects an external MCP server. */
  remove_mcp_server: { input: { id: string }; output: Message };
  /** Puts the file of a draft or of a mission that has ended away. */
  remove_mission: { input: { base_hash: string; mission_id: string }; output: MissionRemoved };
  /** Removes a provider that no agent uses. */
  remove_provider: { input: { provider: string }; output: Message };
  /** Removes a robot that stands disarmed, or does not answer. Its records, limits and stops stay. */
  remove_robot: { input: { robot: string }; output: RobotRemoved };
  /** Asks the person in control for it; 10 s of silence is no. */
  request_control: { input: { message: string; robot: string }; output: ControlRow };
  /** Ends the latch of an alarm that is over. */
  reset_alarm: { input: { id: string }; output: AlarmsChanged };
  /** Begins a conversation anew; its file stays. */
  reset_session: { input: { session: string }; output: SessionRow };
  /** Lets a paused job go on. */
  resume_job: { input: { id: string }; output: JobRow };
  /** Lets a paused mission go on. */
  resume_mission: { input: { answer?: string | null; mission_id: string }; output: Changed };
  /** Tries a job again that was given up. */
  retry_job: { input: { id: string }; output: JobRow };
  /** Takes a robot's certificate out of the router's rules, and exports the rules. */
  revoke_robot: { input: { folder: string; robot: string }; output: CredentialsExport };
  /** Takes a standing approval back. */
  revoke_standing_approval: { input: { id: string }; output: StandingApprovalChanged };
  /** Has a token sign nobody in any more, and ends its session. */
  revoke_token: { input: { id: string }; output: Message };
  /** A mesh that the URDF of a robot names. */
  robot_mesh: { input: { mesh: string; robot: string }; output: RobotMesh };
  /** The URDF of a robot, for drawing it. */
  robot_model: { input: { robot: string }; output: RobotModel };
  /** Carries out a step of commissioning while it is repeated. */
  run_commissioning_step: { input: { robot: string; step: "axis_x" | "axis_y" | "axis_turn" | "stop_from_speed" | "silence" | "joints" | "each_stop" | "hardware_stop" }; output: CommissioningRow };
  /** Runs a job now, beside its schedule. */
  run_job: { input: { id: string }; output: JobRow };
  /** Runs a program that config.toml declares; a person lets each run happen. */
  run_shell_tool: { input: { arguments?: Record<string, unknown>; tool: string }; output: ProgramEnded };
  /** Stops one robot over the real path, measures what it takes, and releases it; it ends disarmed. */
  run_stop_drill: { input: { robot: string }; output: DrillRun };
  /** State, link and open stops of every robot. */
  safety_status: { input: Record<string, never>; output: SafetyStatus };
  /** Runs a shell script in the sandbox: no network, one folder that stays. */
  sandbox_exec: { input: { command: string }; output: ProgramEnded };
  /** Writes the file of a mission. It stays a draft until somebody activates it. */
  save_mission: { input: { base_hash?: string | null; edits?: Array<{ set: { key: string; value: unknown } } | { remove: { key: string } } | { add_dependency: string } | { remove_dependency: string } | { insert_entry: { index: number; key: string; value: unknown } } | { replace_entry: { index: number; key: string; value: unknown } } | { remove_entry: { index: number; key: string } } | { move_entry: { index: number; key: string; to: number } } | { set_body: string } | { replace: { bytes: { from: number; to: number }; text: string } }> | null; mission_id: string; source?: string | null }; output: MissionSaved };
  /** Keeps where missions stand in the graph, which has no meaning. */
  save_mission_layout: { input: { base_hash?: string | null; positions: Record<string, Array<number> | null> }; output: MissionLayoutSaved };
  /** Saves another site plan in place of the one that was seen. It binds no robot. */
  save_site_plan: { input: { base_version: number; plan: { areas?: Array<{ corners: Array<Array<number>>; name: string }>; frame: string; walls?: Array<Array<Array<number>>> } }; output: SitePlanSaved };
  /** Looks for robots on the network for some seconds. Nothing is sent that could move one. */
  scan_robots: { input: { domains: Array<number>; routers: Array<string>; seconds: number }; output: ScanReport };
  /** Starts a turn or runs an operation at a time or times. */
  schedule_task: { input: { at?: string | null; cron_schedule?: string | null; every_secs?: number | null; grace_secs?: number | null; input?: unknown; max_retries?: number | null; missed?: "once" | "skip" | "all" | null; mission_id?: string | null; name?: string | null; operation?: string | null; prompt?: string | null; recurrence?: boolean | null; time_zone?: string | null }; output: Scheduled };
  /** Says once a second that a screen renders. */
  screen_alive: { input: Record<string, never>; output: ScreenNoted };
  /** Finds what was said. */
  search_sessions: { input: { limit?: number | null; query: string }; output: SessionsFound };
  /** Gives an agent another model for embeddings. */
  select_embedding: { input: { model?: string | null; provider?: string | null }; output: EmbeddingSelected };
  /** Gives an agent another model. */
  select_model: { input: { model?: string | null; provider?: string | null; side?: { model: string; provider: string } | null }; output: ModelSelected };
  /** Sends a command to a robot, if every limit allows it. */
  send_command: { input: { actuator: string; force_n?: number | null; frame?: string | null; id?: string | null; mission_id?: string | null; motion: { pose_goal: { duration_s?: number | null; orientation?: Array<number> | null; position_m: Array<number>; speed_mps?: number | null } } | { path: { points_m: Array<Array<number>>; speed_mps?: number | null } } | { velocity: { angular_radps: Array<number>; linear_mps: Array<number> } } | { joints: { names: Array<string>; positions_rad: Array<number>; speed_radps?: number | null } } | { gripper: { opening_m: number; speed_mps?: number | null } } | { switch: { on: boolean } } | { escape: { position_m: Array<number>; speed_mps?: number | null } }; robot: string; ttl_ms?: number | null }; output: Sent };
  /** Says something to the agent. */
  send_message: { input: { session?: string | null; text: string }; output: MessageSent };
  /** The signed-in session and the station. */
  session_info: { input: Record<string, never>; output: SessionInfo };
  /** Sets the PIN that is asked of whoever acts as Admin. */
  set_admin_pin: { input: { pin: string }; output: Message };
  /** Takes an alarm out of service, or puts it back. */
  set_alarm_service: { input: { id: string; in_service: boolean; reason: string }; output: AlarmsChanged };
  /** Sets untrusted text, and what was written under it, aside: no model is shown it again. */
  set_aside_untrusted: { input: { session: string }; output: SetAsideDone };
  /** Sets the agent's autonomy: watch, ask, assist, or the run of a mission. */
  set_mode: { input: { mode: string }; output: ModeSet };
  /** Adds or changes a provider of language models. */
  set_provider: { input: { base?: string | null; id: string; key?: string | null; kind: "anthropic" | "openai" | "gemini" | "llama_cpp" | "ollama" | "lm_studio" | "vllm" | "openai_compatible"; local?: boolean | null; models?: Array<string>; window?: number | null }; output: ProviderRow };
  /** Lets another station speak in a room, or no longer. */
  set_room_member: { input: { public_key?: string | null; room: string; station: string }; output: RoomMemberSet };
  /** Gives an agent the investigation sandbox or takes it. */
  set_sandbox: { input: { on: boolean }; output: Message };
  /** Keeps a key of a provider in the keychain. */
  set_secret: { input: { name: string; this_session_only?: boolean; value: string }; output: SecretRow };
  /** Says, for this run, whether a robot may move without a living screen. */
  set_supervision: { input: { reason: string; robot: string; supervision: "required" | "unattended" }; output: RobotSafety };
  /** Hides an alarm for a while. */
  shelve_alarm: { input: { id: string; reason: string; secs: number }; output: AlarmsChanged };
  /** Starts the built-in simulator. */
  start_simulator: { input: Record<string, never>; output: Message };
  /** Stops every robot and latches until a person releases. */
  stop_all: { input: { reason?: string | null }; output: StopPressed };
  /** Stops one robot and latches until a person releases. */
  stop_robot: { input: { robot: string }; output: StopPressed };
  /** Ends the built-in simulator. */
  stop_simulator: { input: Record<string, never>; output: Message };
  /** Takes control of a robot for oneself alone. */
  take_control: { input: { robot: string }; output: ControlRow };
  /** Runs a context, stored or not, over the last samples; writes nothing. */
  test_context: { input: { draft?: { closed_sets?: Record<string, Array<string>>; codec?: "auto" | "json" | "cbor" | "text"; confidence_default?: number | null; confidence_field?: string | null; envelope?: "auto" | "none"; filter?: string | null; max_age_secs?: number; max_keys?: number; min_interval_secs?: number; mission_id?: string | null; origin?: "measured" | "estimated" | "replay"; rows?: string | null; timestamp_field?: string | null; topic_pattern: string; unit?: string | null; value_field: string; world_state_key_template: string } | null; id?: string | null; wait_secs?: number | null }; output: ContextTested };
  /** Asks a model for one word. */
  test_provider: { input: { model?: string | null; provider: string }; output: ProviderTested };
  /** Makes a registered limit stricter. */
  tighten_constraint: { input: { id: string; params_json: string; version: number }; output: ConstraintChanged };
  /** Asks a provider that is not saved yet, with a key that is not kept, for its models. */
  try_provider: { input: { base?: string | null; key?: string | null; kind: "anthropic" | "openai" | "gemini" | "llama_cpp" | "ollama" | "lm_studio" | "vllm" | "openai_compatible"; local?: boolean | null; value?: string | null }; output: ModelList };
  /** Ends a reply. Robots carry on. */
  turn_cancel: { input: { turn: string }; output: TurnCancelled };
  /** Says something to a turn that runs. */
  turn_steer: { input: { text: string; turn: string }; output: SteerQueued };
  /** Gives this session its rights back. */
  unlock_screen: { input: Record<string, never>; output: AdminGranted };
  /** Takes a tool of an MCP server from agents. */
  unpin_mcp_tool: { input: { server: string; tool: string }; output: Message };
  /** Removes a rule. */
  unregister_alert: { input: { alert_id: string }; output: Message };
  /** Shows a shelved alarm again. */
  unshelve_alarm: { input: { id: string }; output: AlarmsChanged };
  /** Changes a rule. Its debounce goes on; with another predicate it starts anew. */
  update_alert: { input: { alarm?: { cause?: string | null; consequence?: "harm" | "damage" | "mission" | "none" | null; latching?: boolean; off_delay_secs?: number; response?: string | null; suppress_when?: string | null; time_to_respond_secs?: number | null } | null; alert_id: string; arousal_boost?: number | null; debounce_secs?: number | null; description?: string | null; predicate?: string | null }; output: AlertRegistered };
  /** Says what is held to be true, and how sure that is. */
  update_belief: { input: { confidence?: number | null; half_life_secs?: number | null; kind?: "boolean" | "number" | "set" | "enum" | "text" | null; kind_params?: { tolerance_abs?: number | null; tolerance_rel?: number | null; words?: Array<string> | null } | null; notes?: string | null; observes?: string | null; predicate: string; source?: string | null; subject: string; value: string }; output: BeliefUpdated };
  /** Changes parameters of a context. */
  update_context: { input: { id: string; version: number; [field: string]: unknown }; output: ContextConfigured };
  /** Holds a text against this site as if it were a mission; stores nothing. */
  validate_mission: { input: { as_id?: string | null; mission_id?: string | null; source?: string | null }; output: MissionValidated };
  /** Checks that no record was changed or removed. */
  verify_audit: { input: Record<string, never>; output: AuditCheck };
  /** Listens to a key expression for a while; what it brought stays among the topics for ten minutes. */
  watch_topic: { input: { key_expr: string; wait_secs?: number | null }; output: Array<TopicRow> };
  /** Everything that keeps a robot from moving now, in order, with what clears it and who may. */
  why_idle: { input: { robot: string }; output: WhyIdle };
  /** Values of an entry as it developed over time, oldest first. */
  world_history: { input: { from?: number | null; key: string; max_points?: number | null; to?: number | null }; output: Array<WorldPoint> };
  /** World state that waits for the disk, was conflated or lost. */
  world_store_status: { input: Record<string, never>; output: WorldStoreStatus };
};

/** Operations about one agent, which a call may name in `agent`. */
export const OF_ONE_AGENT: ReadonlySet<keyof Operations> = new Set<keyof Operations>([
  "activate_mission",
  "add_budget",
  "belief_history",
  "cancel_job",
  "cancel_mission",
  "complete_mission",
  "configure_context",
  "confirm_belief",
  "create_proposal",
  "decide_memory_review",
  "draft_mission",
  "dry_run_mission",
  "edit_summary",
  "explain_world_entry",
  "export_session",
  "export_turn",
  "fetch_batch_to_sandbox",
  "fetch_to_sandbox",
  "forget_belief",
  "get_belief",
  "get_job",
  "get_mission",
  "get_record",
  "get_sandbox",
  "get_transcript",
  "get_turn_view",
  "hand_to_agent",
  "import_missions",
  "list_alerts",
  "list_beliefs",
  "list_contexts",
  "list_jobs",
  "list_memory_reviews",
  "list_mission_runs",
  "list_missions",
  "list_model_calls",
  "list_notes",
  "list_sessions",
  "list_topics",
  "list_world_state",
  "memory_forget",
  "memory_search",
  "mission_graph",
  "mission_history",
  "new_session",
  "pause_job",
  "pause_mission",
  "pin_belief",
  "pin_session",
  "preview_schedule",
  "register_alert",
  "remember_note",
  "remove_context",
  "remove_mission",
  "reset_session",
  "resume_job",
  "resume_mission",
  "retry_job",
  "run_job",
  "sandbox_exec",
  "save_mission",
  "save_mission_layout",
  "schedule_task",
  "search_sessions",
  "select_embedding",
  "select_model",
  "send_command",
  "send_message",
  "session_info",
  "set_aside_untrusted",
  "set_mode",
  "set_sandbox",
  "start_simulator",
  "test_context",
  "test_provider",
  "turn_cancel",
  "turn_steer",
  "unregister_alert",
  "update_alert",
  "update_belief",
  "update_context",
  "validate_mission",
  "world_history",
  "world_store_status",
]);
