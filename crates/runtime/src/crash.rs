//! The points at which a test ends the process as `kill -9` would, to see that the next start is right. Without the
//! feature `failpoints` they are nothing.

use agent::LineKind;

/// A point between two effects that must not come apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashPoint {
    /// A command is judged and queued for the audit, not sent.
    Command,
    /// A command is sent, which is not on record yet.
    Sent,
    /// An epoch is on disk, and the robot does not know.
    LeaseEpoch,
    /// A stop is on its way to the robots, and not on disk.
    Latch,
    /// A robot is locked, and not on disk as such.
    Lockout,
    /// Records are on disk, and the operations that wait for them do not know.
    Audit,
    /// The first mark of the audit is in its file, and no record says so.
    AuditMark,
    /// A proposal is claimed for sending, which is not on record yet.
    Approval,
    /// The approval is on record, and nothing is sent.
    Dispatch,
    /// A person's message is on disk, and nobody has told them.
    TurnSaid,
    /// The same of a message to a turn that runs.
    TurnSteer,
    /// It is on disk that a turn runs, which has not begun.
    TurnBegin,
    /// A turn has ended, which is not on disk.
    TurnEnd,
    /// The trigger of a turn is in the transcript, and nothing follows from it yet.
    AppendUser,
    /// The same of the state of the world as shown.
    AppendVolatile,
    /// The same of a reply with its calls, none of which runs.
    AppendAssistant,
    /// The same of the result of a call.
    AppendResult,
    /// The same of a note.
    AppendMarker,
    /// A change of the limits is on disk, and not in force.
    SetChange,
    /// The list of things to forget is on disk, and nothing is gone.
    ForgetIntent,
    /// It is in no file any more, and in the tables.
    ForgetFiles,
    /// It is in no table any more, and in the log and the backups.
    ForgetRows,
    /// It is nowhere any more, which nobody has verified.
    ForgetBackups,
    /// The tombstone is on record, and the intent is still there.
    ForgetTombstone,
    /// The limits of a text bind, and it is not on disk that it runs.
    MissionBind,
    /// A change of a mission is on disk, and nothing follows from it yet.
    MissionSave,
    /// It is on disk that a step is begun, and nothing of it is sent.
    MissionDispatch,
    /// A step has ended, which is not on disk.
    MissionEnd,
}

/// Ends the process here if a test asked for it.
pub fn point(point: CrashPoint) {
    let name = match point {
        CrashPoint::Command => "command",
        CrashPoint::Sent => "sent",
        CrashPoint::LeaseEpoch => "lease_epoch",
        CrashPoint::Latch => "latch",
        CrashPoint::Lockout => "lockout",
        CrashPoint::Audit => "audit",
        CrashPoint::AuditMark => "audit_mark",
        CrashPoint::Approval => "approval",
        CrashPoint::Dispatch => "dispatch",
        CrashPoint::TurnSaid => "turn_said",
        CrashPoint::TurnSteer => "turn_steer",
        CrashPoint::TurnBegin => "turn_begin",
        CrashPoint::TurnEnd => "turn_end",
        CrashPoint::AppendUser => "append_user",
        CrashPoint::AppendVolatile => "append_volatile",
        CrashPoint::AppendAssistant => "append_assistant",
        CrashPoint::AppendResult => "append_result",
        CrashPoint::AppendMarker => "append_marker",
        CrashPoint::SetChange => "set_change",
        CrashPoint::ForgetIntent => "forget_intent",
        CrashPoint::ForgetFiles => "forget_files",
        CrashPoint::ForgetRows => "forget_rows",
        CrashPoint::ForgetBackups => "forget_backups",
        CrashPoint::ForgetTombstone => "forget_tombstone",
        CrashPoint::MissionBind => "mission_bind",
        CrashPoint::MissionSave => "mission_save",
        CrashPoint::MissionDispatch => "mission_dispatch",
        CrashPoint::MissionEnd => "mission_end",
    };
    fail::fail_point!(name, |_| std::process::abort());
    // The macro is empty without the feature.
    let _ = name;
}

/// The point behind an entry of a transcript that is on disk.
pub fn appended(kind: LineKind) {
    point(match kind {
        LineKind::User => CrashPoint::AppendUser,
        LineKind::Volatile => CrashPoint::AppendVolatile,
        LineKind::Assistant => CrashPoint::AppendAssistant,
        LineKind::ToolResult => CrashPoint::AppendResult,
        LineKind::Marker | LineKind::Nudge | LineKind::Summary => CrashPoint::AppendMarker,
    });
}

/// Reads which points a test asked for, from the environment variable `FAILPOINTS`. Lasts as long as what it gives.
#[cfg(feature = "failpoints")]
pub fn from_environment() -> fail::FailScenario<'static> {
    fail::FailScenario::setup()
}
