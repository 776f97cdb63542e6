//! Inputs and answers of operations and the content of frames: the shapes every host puts on its wire, snake_case.

mod agents;
mod alarm;
mod audit;
mod camera;
mod event;
mod fleet;
mod frame;
mod map;
mod missions;
mod network;
mod proposal;
mod reason;
mod session;
mod site_plan;
mod world;

pub use crate::audit::{AuditOrigin, AuditRecord};
pub use crate::config::{ModelChoice, ProviderSettings};
pub use crate::secrets::{SecretKept, SecretName, SecretRow};
pub use ::memory::ReviewState;
pub use ::memory::episodic::MemoryHit;
pub use ::memory::jobs::{JobAction, JobState, Missed, PromptSource, RunOutcome};
pub use ::world::{AgeBasis, ValueOrigin};
pub use agents::agent::{
    AgentRow, AsideRow, Channel, CompactTools, MessageSent, ModeSet, PausedTurn, PromptReading, SessionExport,
    SessionHit, SessionRow, SessionsFound, SetAsideDone, SteerQueued, SummaryEdited, TranscriptPage, TurnCancelled,
};
pub use agents::belief::{
    BeliefApplied, BeliefForgotten, BeliefFound, BeliefHistory, BeliefHistoryRow, BeliefPin, BeliefRow, BeliefUpdated,
};
pub use agents::job::{
    JobDetail, JobRow, JobRunRow, MemoryReviewRow, NoteApplied, NoteRemembered, ProposalCreated, ReviewDecided,
    SchedulePreview, ScheduledTime, TaskScheduled,
};
pub use agents::memory::{
    Forgotten, HeldRow, MemoryForgotten, MemoryFound, MemoryRecord, NoteRow, Recall, StaysRow, ToForget, ToForgetRow,
};
pub use agents::model::{
    BudgetRow, BudgetsRow, CallView, EmbeddingSelected, ExportForm, Meter, ModelCallList, ModelCallRow, ModelSelected,
    TurnExport, TurnView, ViewBlock, ViewLayout, ViewMessage,
};
pub use agents::provider::{LocalServerRow, ModelList, ModelRow, ProviderFailure, ProviderRow, ProviderTested};
pub use agents::room::{
    RoomDrop, RoomDropRow, RoomMemberRow, RoomMemberSet, RoomMessageRow, RoomPage, RoomPosted, RoomRow,
};
pub use agents::tool::{
    Fetched, FetchedBatch, FetchedItem, HookRow, McpServerRow, McpServerState, McpToolRow, McpToolState, OutputAnswers,
    OutputPage, ProgramEnded, SandboxFault, SandboxStatus, ServerLoss, ShellToolRow, SourceRow, ToolAnswer, ToolFault,
};
pub use alarm::{AlarmReport, AlarmsChanged};
pub use audit::{AuditAccepted, AuditCheck, AuditDifference, AuditExport, AuditSigning, AuditState, UnsignedReason};
pub use camera::{CameraDetections, CameraFrame, CameraRow, DetectedObject};
pub use event::EventRow;
pub use fleet::commissioning::{CommissioningRow, GateManifest};
pub use fleet::control::{ControlRequest, ControlRow, LockRow, ScreenNoted};
pub use fleet::finding::{DraftField, DraftProblem, DraftProblemKind, RobotDraft, RobotPrepared};
pub use fleet::idle::{Blocked, Blocker, BlockerCode, WhyIdle};
pub use fleet::manifest::{ManifestMeaning, RobotAdded, RobotRemoved};
pub use fleet::pairing::{PairingProblem, PairingState, PairingView};
pub use fleet::robots::{
    ActuatorRow, ArmingHindrance, CauseRow, ConstraintRow, ConstraintScope, GateName, JointRow, LimitsRow, LinkState,
    ManifestFault, PoseRow, RobotMesh, RobotModel, RobotRow, RobotSafety, StopBehaviourName, TransformRow,
};
pub use fleet::stop::{DrillRow, DrillRun, FallbackRow, FallbackStepRow, Released, Stop, StopPressed, StopRobot};
pub use frame::{Fact, Frame, PoseValue, Signal, SignalValue, Tag};
pub use map::{MapGrid, RobotMap, RobotMapSeen};
pub use missions::mission::{
    AcceptedWarning, MissionActivated, MissionActivation, MissionChanged, MissionCompleted, MissionDetail, MissionEdge,
    MissionFlag, MissionHalted, MissionLive, MissionLock, MissionProblem, MissionReason, MissionReasonCode, MissionRow,
    MissionState, MissionStatus, MissionTrigger, MissionsPaused,
};
pub use missions::mission_draft::{
    MissionDrafted, MissionImportOutcome, MissionImported, MissionRemoved, MissionSaved, MissionValidated,
    MissionsImported,
};
pub use missions::mission_dry_run::{
    MissionDryApproval, MissionDryApprovalKind, MissionDryBasis, MissionDryConflict, MissionDryHindrance,
    MissionDryKind, MissionDryLock, MissionDryMotion, MissionDryOutcome, MissionDryRecord, MissionDryRecorded,
    MissionDryRecordedCommand, MissionDryRun, MissionDryStale, MissionDryStaleCause, MissionDryStart, MissionDryStep,
    RobotHindrance,
};
pub use missions::mission_goal::{MissionGoal, MissionGoalState};
pub use missions::mission_graph::{
    GraphEdge, GraphEdgeKind, GraphEdgeState, GraphEdgeText, MissionActionName, MissionGoalNow, MissionGraph,
    MissionLayoutSaved, MissionNode, MissionPositions, MissionWait,
};
pub use missions::mission_history::{
    MissionHistory, MissionRun, MissionRunGoal, MissionRunRow, MissionRuns, MissionStepAct, MissionStepCause,
    MissionStepCode, MissionStepRow, MissionVersionRow,
};
pub use network::{
    CertificateHindrance, CertificateHolder, CertificateRow, Connections, CredentialsExport, LinkHop, LinkProblem,
    NetworkProfile, RobotConnection, RobotLeftOut,
};
pub use proposal::{
    Approved, CommandChecked, CommandOutcome, CommandStep, FieldChange, ItemRow, PreconditionRow, Preview, PreviewKind,
    Proposal, ProposalDesk, ProposalDiff, ProposalFact, ProposalRef, ProposalSeen, ProposalState,
    StandingApprovalChanged, StandingApprovalRow, StartPose, StepAt, VerdictRow,
};
pub use reason::{ProposalReason, RejectReason, StopReason};
pub use session::{
    AdminGranted, Mode, NoticeState, SafetySetting, SafetyStatus, SessionInfo, SimulatorState, StopShortcut,
    TokenCreated, TokenRow,
};
pub use site_plan::{SitePlanOrigin, SitePlanRow, SitePlanSaved};
pub use world::{
    AlertRegistered, ClaimRow, ConstraintChanged, ConstraintPreview, ConstraintRegistered, ContextConfigured,
    ContextRow, ContextState, ContextTested, ContextTrouble, RawSample, TestedWrite, TopicField, TopicRow,
    TriedCommand, WorldExplained, WorldPoint, WorldRow, WorldStoreStatus,
};

pub use robot::word;
