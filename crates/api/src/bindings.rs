//! The TypeScript form of everything that crosses a host's wire.

use std::path::Path;

use robot::RawCommand;
use station::wire::{
    AdminGranted, AgentRow, AlarmReport, AlertRegistered, Approved, AuditCheck, AuditExport, AuditRecord, AuditSigning,
    BeliefForgotten, BeliefFound, BeliefHistory, BeliefUpdated, CommandChecked, CommandOutcome, ConstraintChanged,
    ConstraintPreview, ConstraintRegistered, ConstraintRow, ContextConfigured, ContextRow, ContextTested, ControlRow,
    DrillRow, DrillRun, FallbackRow, Fetched, FetchedBatch, Frame, JobDetail, JobRow, LockRow, McpServerRow,
    MemoryForgotten, MemoryFound, MemoryReviewRow, MessageSent, MissionActivated, MissionChanged, MissionDetail,
    MissionHalted, MissionRow, MissionsPaused, NoteRemembered, OutputPage, ProgramEnded, Proposal, ProposalCreated,
    RejectReason, Released, ReviewDecided, RobotRow, SafetySetting, SafetyStatus, SandboxStatus, SchedulePreview,
    ScreenNoted, SessionInfo, StandingApprovalChanged, StandingApprovalRow, StopPressed, TaskScheduled, ToolAnswer,
    TopicRow, TranscriptPage, VerdictRow, WorldExplained, WorldPoint, WorldRow, WorldStoreStatus,
};
use ts_rs::{Config, ExportError, TS};

use crate::ErrorBody;

/// Writes one file a type below `folder`, each with the types it is made of.
#[expect(clippy::too_many_lines, reason = "one line for each type")]
pub fn export(folder: &Path) -> Result<(), ExportError> {
    let config = Config::new().with_out_dir(folder);
    macro_rules! export_all {
        ($($name:ty),* $(,)?) => { $(<$name>::export_all(&config)?;)* };
    }
    export_all!(
        AdminGranted,
        AlarmReport,
        AgentRow,
        AlertRegistered,
        Approved,
        AuditCheck,
        AuditExport,
        AuditRecord,
        AuditSigning,
        BeliefForgotten,
        BeliefFound,
        BeliefHistory,
        BeliefUpdated,
        CommandChecked,
        CommandOutcome,
        ConstraintChanged,
        ConstraintPreview,
        ConstraintRegistered,
        ConstraintRow,
        ContextConfigured,
        ContextRow,
        ContextTested,
        ControlRow,
        DrillRow,
        DrillRun,
        ErrorBody,
        FallbackRow,
        Fetched,
        FetchedBatch,
        Frame,
        JobDetail,
        JobRow,
        LockRow,
        McpServerRow,
        MemoryForgotten,
        MemoryFound,
        MemoryReviewRow,
        MessageSent,
        MissionActivated,
        MissionChanged,
        MissionDetail,
        MissionHalted,
        MissionRow,
        MissionsPaused,
        NoteRemembered,
        OutputPage,
        ProgramEnded,
        Proposal,
        ProposalCreated,
        RawCommand,
        RejectReason,
        Released,
        ReviewDecided,
        RobotRow,
        SafetySetting,
        SandboxStatus,
        SafetyStatus,
        SchedulePreview,
        ScreenNoted,
        SessionInfo,
        StandingApprovalChanged,
        StandingApprovalRow,
        StopPressed,
        TaskScheduled,
        ToolAnswer,
        TranscriptPage,
        VerdictRow,
        TopicRow,
        WorldExplained,
        WorldPoint,
        WorldRow,
        WorldStoreStatus,
        world::AlertRow,
        world::alarm::AlarmRow,
        world::alarm::AlarmPreset,
        world::AlertRule,
        world::ProviderConfig,
    );
    Ok(())
}
