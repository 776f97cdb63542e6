// The operations this window calls, with what goes in and what comes out.

import type { AdminGranted } from "../generated/bindings/AdminGranted";
import type { AlarmPreset } from "../generated/bindings/AlarmPreset";
import type { AlarmReport } from "../generated/bindings/AlarmReport";
import type { AlarmRow } from "../generated/bindings/AlarmRow";
import type { AlarmsChanged } from "../generated/bindings/AlarmsChanged";
import type { AlertRegistered } from "../generated/bindings/AlertRegistered";
import type { AlertRow } from "../generated/bindings/AlertRow";
import type { AlertRule } from "../generated/bindings/AlertRule";
import type { AuditAccepted } from "../generated/bindings/AuditAccepted";
import type { AuditCheck } from "../generated/bindings/AuditCheck";
import type { AuditState } from "../generated/bindings/AuditState";
import type { AuditRecord } from "../generated/bindings/AuditRecord";
import type { BeliefForgotten } from "../generated/bindings/BeliefForgotten";
import type { BeliefHistory } from "../generated/bindings/BeliefHistory";
import type { BeliefRow } from "../generated/bindings/BeliefRow";
import type { BeliefState } from "../generated/bindings/BeliefState";
import type { BeliefUpdated } from "../generated/bindings/BeliefUpdated";
import type { CommandChecked } from "../generated/bindings/CommandChecked";
import type { CommandOutcome } from "../generated/bindings/CommandOutcome";
import type { ConstraintChanged } from "../generated/bindings/ConstraintChanged";
import type { ConstraintPreview } from "../generated/bindings/ConstraintPreview";
import type { ConstraintRegistered } from "../generated/bindings/ConstraintRegistered";
import type { ConstraintRow } from "../generated/bindings/ConstraintRow";
import type { ContextConfigured } from "../generated/bindings/ContextConfigured";
import type { ContextRow } from "../generated/bindings/ContextRow";
import type { ContextTested } from "../generated/bindings/ContextTested";
import type { ControlRow } from "../generated/bindings/ControlRow";
import type { DrillRow } from "../generated/bindings/DrillRow";
import type { DrillRun } from "../generated/bindings/DrillRun";
import type { WorldExplained } from "../generated/bindings/WorldExplained";
import type { Envelope } from "../generated/bindings/Envelope";
import type { EpisodeRole } from "../generated/bindings/EpisodeRole";
import type { EventRow } from "../generated/bindings/EventRow";
import type { FallbackRow } from "../generated/bindings/FallbackRow";
import type { WorldPoint } from "../generated/bindings/WorldPoint";
import type { Freshness } from "../generated/bindings/Freshness";
import type { JobDetail } from "../generated/bindings/JobDetail";
import type { JobRow } from "../generated/bindings/JobRow";
import type { JobState } from "../generated/bindings/JobState";
import type { LockRow } from "../generated/bindings/LockRow";
import type { MemoryForgotten } from "../generated/bindings/MemoryForgotten";
import type { MemoryFound } from "../generated/bindings/MemoryFound";
import type { MemoryRecord } from "../generated/bindings/MemoryRecord";
import type { MemoryReviewRow } from "../generated/bindings/MemoryReviewRow";
import type { Missed } from "../generated/bindings/Missed";
import type { NoteRemembered } from "../generated/bindings/NoteRemembered";
import type { NoteRow } from "../generated/bindings/NoteRow";
import type { Proposal } from "../generated/bindings/Proposal";
import type { ProposalSeen } from "../generated/bindings/ProposalSeen";
import type { ProposalState } from "../generated/bindings/ProposalState";
import type { ProviderConfig } from "../generated/bindings/ProviderConfig";
import type { RawCommand } from "../generated/bindings/RawCommand";
import type { RejectReason } from "../generated/bindings/RejectReason";
import type { ReviewDecided } from "../generated/bindings/ReviewDecided";
import type { RobotRow } from "../generated/bindings/RobotRow";
import type { RobotSafety } from "../generated/bindings/RobotSafety";
import type { SafetyCause } from "../generated/bindings/SafetyCause";
import type { SafetySetting } from "../generated/bindings/SafetySetting";
import type { SafetyStatus } from "../generated/bindings/SafetyStatus";
import type { SchedulePreview } from "../generated/bindings/SchedulePreview";
import type { ScreenNoted } from "../generated/bindings/ScreenNoted";
import type { SessionInfo } from "../generated/bindings/SessionInfo";
import type { StandingApprovalChanged } from "../generated/bindings/StandingApprovalChanged";
import type { StandingApprovalRow } from "../generated/bindings/StandingApprovalRow";
import type { Supervision } from "../generated/bindings/Supervision";
import type { TopicRow } from "../generated/bindings/TopicRow";
import type { TaskScheduled } from "../generated/bindings/TaskScheduled";
import type { WhyIdle } from "../generated/bindings/WhyIdle";
import type { WorldRow } from "../generated/bindings/WorldRow";
import type { AgentOperations } from "./agent-operations";
import type { Host } from "./host";

type Nothing = Record<string, never>;
/** Parameters that change; null is as if left out when it was configured. */
export type ContextChange = { [Name in keyof ProviderConfig]?: ProviderConfig[Name] | null };

/** A job as it is asked for: one action and one time. */
export type TaskInput = {
  prompt?: string;
  operation?: string;
  input?: unknown;
  cron_schedule?: string;
  at?: string;
  every_secs?: number;
  time_zone?: string;
  name?: string;
  mission_id?: string;
  missed?: Missed;
  grace_secs?: number;
  max_retries?: number;
};

/** What `memory_search` looks for. */
export type MemorySearch = {
  query: string;
  limit?: number;
  match?: "any" | "all";
  since?: string;
  until?: string;
  role?: EpisodeRole;
  mission_id?: string;
};

type Operations = AgentOperations & {
  session_info: { input: Nothing; output: SessionInfo };
  safety_status: { input: Nothing; output: SafetyStatus };
  why_idle: { input: { robot: string }; output: WhyIdle };
  list_robots: { input: Nothing; output: RobotRow[] };
  screen_alive: { input: Nothing; output: ScreenNoted };
  list_world_state: { input: { prefix?: string; freshness?: Freshness[]; limit?: number }; output: WorldRow[] };
  explain_world_entry: { input: { key: string }; output: WorldExplained };
  world_history: { input: { key: string; from?: number; to?: number; max_points?: number }; output: WorldPoint[] };
  list_topics: { input: Nothing; output: TopicRow[] };
  watch_topic: { input: { key_expr: string; wait_secs?: number }; output: TopicRow[] };
  list_contexts: { input: { mission_id?: string }; output: ContextRow[] };
  configure_context: { input: ProviderConfig; output: ContextConfigured };
  update_context: { input: { id: string; version: number } & ContextChange; output: ContextConfigured };
  remove_context: { input: { id: string }; output: { message: string } };
  test_context: { input: { draft: ProviderConfig; wait_secs?: number }; output: ContextTested };
  list_constraints: { input: { robot: string }; output: ConstraintRow[] };
  register_constraint: {
    input: { robot: string; constraint_type: string; params_json: string; frame?: string; reason?: string };
    output: ConstraintRegistered;
  };
  tighten_constraint: { input: { id: string; version: number; params_json: string }; output: ConstraintChanged };
  preview_constraint_change: { input: { id: string; params_json: string | null }; output: ConstraintPreview };
  loosen_constraint: {
    input: { id: string; version: number; params_json: string; reason: string; preview_id: string };
    output: ConstraintChanged;
  };
  remove_constraint: {
    input: { id: string; version: number; reason: string; preview_id: string };
    output: ConstraintChanged;
  };
  act_as_admin: { input: Nothing; output: AdminGranted };
  lock_screen: { input: Nothing; output: AdminGranted };
  unlock_screen: { input: Nothing; output: AdminGranted };
  end_admin: { input: Nothing; output: AdminGranted };
  list_locks: { input: Nothing; output: LockRow[] };
  list_fallbacks: { input: { robot: string }; output: FallbackRow[] };
  list_audit: { input: { after?: number; limit?: number }; output: AuditRecord[] };
  verify_audit: { input: Nothing; output: AuditCheck };
  audit_state: { input: Nothing; output: AuditState };
  accept_audit: { input: { reason: string; found: string[] }; output: AuditAccepted };
  list_proposals: { input: { state?: ProposalState }; output: Proposal[] };
  proposal_shown: { input: { id: string }; output: ProposalSeen };
  approve_proposal: { input: { id: string; version: number; action_hash: string }; output: unknown };
  reject_proposal: { input: { id: string; version: number; reason: RejectReason; note?: string }; output: unknown };
  edit_proposal: { input: { id: string; version: number; input: unknown }; output: CommandOutcome };
  grant_standing_approval: {
    input: { robot: string; mission_id?: string; operation: string; envelope: Envelope; count: number; hours: number };
    output: StandingApprovalChanged;
  };
  list_standing_approvals: { input: Nothing; output: StandingApprovalRow[] };
  revoke_standing_approval: { input: { id: string }; output: StandingApprovalChanged };
  stop_all: { input: { reason?: string; request_id: string }; output: unknown };
  release_stop: { input: { stop_ids: number[]; robots: string[]; reason: string }; output: unknown };
  check_command: { input: RawCommand; output: CommandChecked };
  run_stop_drill: { input: { robot: string }; output: DrillRun };
  list_drills: { input: { robot?: string }; output: DrillRow[] };
  hold_robot: { input: { robot: string }; output: RobotSafety };
  acknowledge_cause: { input: { robot: string; cause: SafetyCause; reason: string }; output: RobotSafety };
  set_supervision: { input: { robot: string; supervision: Supervision; reason: string }; output: RobotSafety };
  grant_unconstrained: { input: { robot: string; minutes: number; reason: string }; output: RobotSafety };
  get_safety_settings: { input: Nothing; output: SafetySetting[] };
  recommission: { input: { robot: string; reason: string }; output: RobotSafety };
  arm_robot: { input: { robot: string; reason?: string }; output: unknown };
  disarm_robot: { input: { robot: string; looked?: boolean }; output: unknown };
  take_control: { input: { robot: string }; output: ControlRow };
  request_control: { input: { robot: string; message: string }; output: ControlRow };
  answer_control_request: { input: { id: string; allow: boolean }; output: ControlRow };
  release_control: { input: { robot: string }; output: ControlRow };
  hand_to_agent: { input: { robot: string }; output: ControlRow };
  force_control: { input: { robot: string; reason: string }; output: ControlRow };
  send_command: { input: RawCommand; output: CommandOutcome };
  jog: {
    input: { robot: string; actuator: string; linear_mps: number[]; angular_radps: number[] };
    output: CommandOutcome;
  };
  list_alarms: { input: { preset: AlarmPreset; since?: number }; output: AlarmRow[] };
  alarm_figures: { input: { from?: number; to?: number }; output: AlarmReport };
  acknowledge_alarms: { input: { ids: string[]; seq: number }; output: AlarmsChanged };
  shelve_alarm: { input: { id: string; secs: number; reason: string }; output: AlarmsChanged };
  unshelve_alarm: { input: { id: string }; output: AlarmsChanged };
  reset_alarm: { input: { id: string }; output: AlarmsChanged };
  set_alarm_service: { input: { id: string; in_service: boolean; reason: string }; output: AlarmsChanged };
  list_events: { input: { after?: number; limit?: number }; output: EventRow[] };
  list_alerts: { input: { mission_id?: string }; output: AlertRow[] };
  register_alert: { input: AlertRule; output: AlertRegistered };
  update_alert: { input: { alert_id: string } & Partial<Omit<AlertRule, "mission_id">>; output: AlertRegistered };
  unregister_alert: { input: { alert_id: string }; output: { message: string } };
  list_beliefs: {
    input: {
      subject?: string;
      query?: string;
      state?: BeliefState;
      changed_since?: number;
      limit?: number;
      after?: string;
    };
    output: BeliefRow[];
  };
  belief_history: { input: { id: string; from?: number; to?: number; max_points?: number }; output: BeliefHistory };
  update_belief: {
    input: { subject: string; predicate: string; value: string; confidence?: number; notes?: string };
    output: BeliefUpdated;
  };
  confirm_belief: { input: { id: string }; output: BeliefRow };
  pin_belief: { input: { id: string; until: number | null }; output: BeliefRow };
  forget_belief: { input: { id: string; reason: string }; output: BeliefForgotten };
  memory_search: { input: MemorySearch; output: MemoryFound };
  memory_forget: {
    input: { query?: string; ids?: string[]; older_than_days?: number; reason: string; dry_run: boolean };
    output: MemoryForgotten;
  };
  list_jobs: { input: { status?: JobState; mission_id?: string }; output: JobRow[] };
  get_job: { input: { id: string }; output: JobDetail };
  preview_schedule: { input: TaskInput; output: SchedulePreview };
  schedule_task: { input: TaskInput; output: TaskScheduled };
  pause_job: { input: { id: string }; output: JobRow };
  resume_job: { input: { id: string }; output: JobRow };
  cancel_job: { input: { id: string }; output: JobRow };
  run_job: { input: { id: string }; output: JobRow };
  retry_job: { input: { id: string }; output: JobRow };
  list_notes: { input: Nothing; output: NoteRow[] };
  get_record: { input: { id: string }; output: MemoryRecord };
  remember_note: { input: { text: string; title?: string }; output: NoteRemembered };
  list_memory_reviews: { input: Nothing; output: MemoryReviewRow[] };
  decide_memory_review: { input: { id: string; accept: boolean; edited?: string }; output: ReviewDecided };
  start_simulator: { input: Nothing; output: unknown };
};

/** The name of an operation this window uses. */
export type OperationName = keyof Operations;
/** What an operation is given. */
export type Input<Name extends OperationName> = Operations[Name]["input"];
/** What an operation answers. */
export type Output<Name extends OperationName> = Operations[Name]["output"];

/** Calls an operation with its own types. */
export function operation<Name extends OperationName>(
  host: Host,
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  return host.call<Output<Name>>(name, input, signal);
}
