//! The TypeScript form of everything that crosses a host's wire.

use std::path::Path;

use robot::RawCommand;
use station::wire::{
    AdminGranted, AgentRow, AlertRegistered, Approved, AuditCheck, AuditExport, AuditRecord, AuditSigning,
    BeliefForgotten, BeliefFound, BeliefHistory, BeliefUpdated, CommandChecked, CommandOutcome, ConstraintChanged,
    ConstraintPreview, ConstraintRegistered, ConstraintRow, ContextConfigured, ControlRow, DrillRow, DrillRun,
    FallbackRow, Frame, LockRow, MemoryForgotten, MemoryFound, MessageSent, MissionRow, Proposal, RejectReason,
    Released, RobotRow, SafetySetting, SafetyStatus, ScreenNoted, SessionInfo, StandingApprovalChanged,
    StandingApprovalRow, StopPressed, TranscriptPage, VerdictRow, WorldRow,
};
use ts_rs::{Config, ExportError, TS};

use crate::ErrorBody;

/// Writes one file a type below `folder`, each with the types it is made of.
pub fn export(folder: &Path) -> Result<(), ExportError> {
    let config = Config::new().with_out_dir(folder);
    macro_rules! export_all {
        ($($name:ty),* $(,)?) => { $(<$name>::export_all(&config)?;)* };
    }
    export_all!(
        AdminGranted,
        AlertRegistered,
        Approved,
        AuditCheck,
        AuditSigning,
        AuditExport,
        AuditRecord,
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
        ControlRow,
        DrillRow,
        DrillRun,
        ErrorBody,
        FallbackRow,
        Frame,
        LockRow,
        MemoryForgotten,
        MemoryFound,
        MessageSent,
        AgentRow,
        MissionRow,
        Proposal,
        RawCommand,
        RejectReason,
        Released,
        RobotRow,
        SafetySetting,
        SafetyStatus,
        ScreenNoted,
        SessionInfo,
        StandingApprovalChanged,
        StandingApprovalRow,
        StopPressed,
        TranscriptPage,
        VerdictRow,
        WorldRow,
        world::AlertRow,
        world::AlertRule,
        world::ProviderConfig,
    );
    Ok(())
}
