//! Inputs and answers of operations and the content of frames: the shapes every host puts on its wire, snake_case.

mod agent;
mod alarm;
mod audit;
mod belief;
mod camera;
mod commissioning;
mod control;
mod event;
mod finding;
mod frame;
mod idle;
mod job;
mod manifest;
mod map;
mod memory;
mod mission;
mod mission_draft;
mod mission_dry_run;
mod mission_goal;
mod mission_graph;
mod mission_history;
mod model;
mod network;
mod pairing;
mod proposal;
mod provider;
mod reason;
mod robots;
mod room;
mod session;
mod site_plan;
mod stop;
mod tool;
mod world;

pub use crate::audit::{AuditOrigin, AuditRecord};
pub use crate::config::{ModelChoice, ProviderSettings};
pub use crate::secrets::{SecretKept, SecretName, SecretRow};
pub use ::memory::ReviewState;
pub use ::memory::jobs::{JobAction, JobState, Missed, PromptSource, RunOutcome};
pub use agent::{
    AgentRow, AsideRow, Channel, CompactTools, MessageSent, ModeSet, PausedTurn, PromptReading, SaidHit, SessionExport,
    SessionRow, SessionsFound, SetAsideDone, SteerQueued, SummaryEdited, TranscriptPage, TurnCancelled,
};
pub use alarm::{AlarmReport, AlarmsChanged};
pub use audit::{AuditAccepted, AuditCheck, AuditDifference, AuditExport, AuditSigning, AuditState, UnsignedReason};
pub use belief::{
    BeliefApplied, BeliefForgotten, BeliefFound, BeliefHistory, BeliefHistoryRow, BeliefPin, BeliefRow, BeliefUpdated,
};
pub use camera::{CameraDetections, CameraFrame, CameraRow, DetectedObject};
pub use commissioning::{CommissioningRow, GateManifest};
pub use control::{ControlRequest, ControlRow, LockRow, ScreenNoted};
pub use event::EventRow;
pub use finding::{DraftField, DraftProblem, DraftProblemKind, RobotDraft, RobotPrepared};
pub use frame::{AgeBasis, Fact, Frame, PoseValue, Signal, SignalOrigin, SignalValue, Tag};
pub use idle::{Blocked, Blocker, BlockerCode, WhyIdle};
pub use job::{
    JobDetail, JobRow, JobRunRow, MemoryReviewRow, NoteApplied, NoteRemembered, ProposalCreated, ReviewDecided,
    SchedulePreview, ScheduledTime, TaskScheduled,
};
pub use manifest::{ManifestMeaning, RobotAdded, RobotRemoved};
pub use map::{MapGrid, RobotMap, RobotMapSeen};
pub use memory::{
    Forgotten, MemoryForgotten, MemoryFound, MemoryHit, MemoryRecord, NoteRow, Recall, StaysRow, ToForget, ToForgetRow,
};
pub use mission::{
    AcceptedWarning, MissionActivated, MissionActivation, MissionChanged, MissionCompleted, MissionDetail, MissionEdge,
    MissionFlag, MissionHalted, MissionLive, MissionLock, MissionProblem, MissionReason, MissionReasonCode, MissionRow,
    MissionState, MissionStatus, MissionTrigger, MissionsPaused,
};
pub use mission_draft::{
    MissionDrafted, MissionImportOutcome, MissionImported, MissionRemoved, MissionSaved, MissionValidated,
    MissionsImported,
};
pub use mission_dry_run::{
    MissionDryApproval, MissionDryApprovalKind, MissionDryBasis, MissionDryConflict, MissionDryHindrance,
    MissionDryKind, MissionDryLock, MissionDryMotion, MissionDryOutcome, MissionDryRecord, MissionDryRecorded,
    MissionDryRecordedCommand, MissionDryRun, MissionDryStale, MissionDryStaleCause, MissionDryStart, MissionDryStep,
    RobotHindrance,
};
pub use mission_goal::{MissionGoal, MissionGoalState};
pub use mission_graph::{
    GraphEdge, GraphEdgeKind, GraphEdgeState, GraphEdgeText, MissionActionName, MissionGoalNow, MissionGraph,
    MissionLayoutSaved, MissionNode, MissionPositions, MissionWait,
};
pub use mission_history::{
    MissionHistory, MissionRun, MissionRunGoal, MissionRunRow, MissionRuns, MissionStepAct, MissionStepCause,
    MissionStepCode, MissionStepRow, MissionVersionRow,
};
pub use model::{
    BudgetRow, BudgetsRow, CallView, EmbeddingSelected, ExportForm, Meter, ModelCallList, ModelCallRow, ModelSelected,
    TurnExport, TurnView, ViewBlock, ViewLayout, ViewMessage,
};
pub use network::{
    CertificateHindrance, CertificateHolder, CertificateRow, Connections, CredentialsExport, LinkHop, LinkProblem,
    NetworkProfile, RobotConnection, RobotLeftOut,
};
pub use pairing::{PairingProblem, PairingState, PairingView};
pub use proposal::{
    Approved, CommandChecked, CommandOutcome, CommandStep, FieldChange, ItemRow, PreconditionRow, Preview, PreviewKind,
    Proposal, ProposalDesk, ProposalDiff, ProposalFact, ProposalRef, ProposalSeen, ProposalState,
    StandingApprovalChanged, StandingApprovalRow, StartPose, StepAt, VerdictRow,
};
pub use provider::{LocalServerRow, ModelList, ModelRow, ProviderFailure, ProviderRow, ProviderTested};
pub use reason::{ProposalReason, RejectReason, StopReason};
pub use robots::{
    ActuatorRow, ArmingHindrance, CauseRow, ConstraintRow, ConstraintScope, GateName, JointRow, LimitsRow, LinkState,
    ManifestFault, PoseRow, RobotMesh, RobotModel, RobotRow, RobotSafety, StopBehaviourName, TransformRow,
};
pub use room::{RoomDrop, RoomDropRow, RoomMemberRow, RoomMemberSet, RoomMessageRow, RoomPage, RoomPosted, RoomRow};
pub use session::{
    AdminGranted, Mode, NoticeState, SafetySetting, SafetyStatus, SessionInfo, SimulatorState, StopShortcut,
    TokenCreated, TokenRow,
};
pub use site_plan::{SitePlanOrigin, SitePlanRow, SitePlanSaved};
pub use stop::{DrillRow, DrillRun, FallbackRow, FallbackStepRow, Released, Stop, StopPressed, StopRobot};
pub use tool::{
    Fetched, FetchedBatch, FetchedItem, HookRow, McpServerRow, McpServerState, McpToolRow, McpToolState, OutputAnswers,
    OutputPage, ProgramEnded, SandboxFault, SandboxStatus, ServerLoss, ShellToolRow, SourceRow, ToolAnswer, ToolFault,
};
pub use world::{
    AlertRegistered, ClaimRow, ConstraintChanged, ConstraintPreview, ConstraintRegistered, ContextConfigured,
    ContextRow, ContextState, ContextTested, ContextTrouble, RawSample, TestedWrite, TopicField, TopicRow,
    TriedCommand, WorldExplained, WorldPoint, WorldRow, WorldStoreStatus,
};

pub use robot::word;
