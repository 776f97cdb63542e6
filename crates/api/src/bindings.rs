//! The TypeScript form of everything that crosses a host's wire.

use std::path::Path;

use robot::RawCommand;
use station::wire::{
    AdminGranted, AgentRow, AlarmReport, AlertRegistered, Approved, AuditCheck, AuditExport, AuditRecord, AuditSigning,
    BeliefForgotten, BeliefFound, BeliefHistory, BeliefUpdated, BudgetsRow, CommandChecked, CommandOutcome,
    ConstraintChanged, ConstraintPreview, ConstraintRegistered, ConstraintRow, ContextConfigured, ContextRow,
    ContextTested, ControlRow, DrillRow, DrillRun, FallbackRow, Frame, JobDetail, JobRow, LocalServerRow, LockRow,
    MemoryForgotten, MemoryFound, MemoryReviewRow, MessageSent, MissionRow, ModeSet, ModelCallList, ModelList,
    ModelSelected, NoteRemembered, Proposal, ProposalCreated, ProviderRow, ProviderTested, RejectReason, Released,
    ReviewDecided, RobotRow, SafetySetting, SafetyStatus, SchedulePreview, ScreenNoted, SecretRow, SessionExport,
    SessionInfo, SessionRow, SessionsFound, StandingApprovalChanged, StandingApprovalRow, SteerQueued, StopPressed,
    TaskScheduled, TopicRow, TranscriptPage, TurnCancelled, TurnExport, TurnView, VerdictRow, WorldExplained,
    WorldPoint, WorldRow, WorldStoreStatus,
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
        BudgetsRow,
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
        Frame,
        JobDetail,
        JobRow,
        LocalServerRow,
        LockRow,
        MemoryForgotten,
        MemoryFound,
        MemoryReviewRow,
        MessageSent,
        MissionRow,
        ModelCallList,
        ModelList,
        ModelSelected,
        ModeSet,
        NoteRemembered,
        Proposal,
        ProposalCreated,
        ProviderRow,
        ProviderTested,
        RawCommand,
        RejectReason,
        Released,
        ReviewDecided,
        RobotRow,
        SafetySetting,
        SafetyStatus,
        SchedulePreview,
        ScreenNoted,
        SecretRow,
        SessionExport,
        SessionInfo,
        SessionRow,
        SessionsFound,
        StandingApprovalChanged,
        StandingApprovalRow,
        SteerQueued,
        StopPressed,
        TaskScheduled,
        TranscriptPage,
        TurnExport,
        TurnView,
        TurnCancelled,
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
