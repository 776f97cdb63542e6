//! Verdicts at their beginning, before the items of a judgement are in them.

use arrayvec::ArrayVec;
use robot::{CommandId, FrameId, Instant, MissionId, RawCommand, Rejection, RobotId, VerdictId};
use uuid::Uuid;

use crate::{Limits, Overall, PathChecked, ReasonArgs, RobotState, Verdict};

/// The command, robot, mission and frame of a verdict.
pub(crate) struct Subject<'a> {
    pub(crate) command: CommandId,
    pub(crate) robot: &'a RobotId,
    pub(crate) mission: Option<&'a MissionId>,
    pub(crate) frame: &'a FrameId,
}

/// A raw command that is no command.
#[derive(Debug, Clone, Copy)]
pub struct Rejected<'r> {
    /// The command as it came.
    pub raw: &'r RawCommand,
    /// Its id, or the one that it was given.
    pub id: CommandId,
    /// The reason that the parser gives.
    pub rejection: &'r Rejection,
}

impl Verdict {
    /// A verdict without items; what it says comes from `overall` until items are added.
    pub(crate) fn bare(
        subject: Subject<'_>,
        limits: &Limits,
        state: &RobotState,
        now: Instant,
        overall: Overall,
    ) -> Self {
        Self {
            id: verdict_id(subject.command, state.snapshot_seq, now),
            at: now,
            robot: subject.robot.clone(),
            mission: subject.mission.cloned(),
            command: subject.command,
            frame: subject.frame.clone(),
            overall,
            items: ArrayVec::new(),
            violations_total: 0,
            set_version: limits.version(),
            set_hash: limits.hash(),
            snapshot_seq: state.snapshot_seq,
            speed_allowed_mps: None,
            path_checked: PathChecked::Point,
            approved: None,
        }
    }

    /// The verdict on a raw command that is no command: denied, with the parser's reason.
    pub fn rejected(rejected: Rejected<'_>, limits: &Limits, state: &RobotState, now: Instant) -> Self {
        let Rejected { raw, id, rejection } = rejected;
        // A command that names no frame would have been judged in the robot's default one.
        let frame = raw.frame.as_ref().unwrap_or(limits.default_frame());
        let subject = Subject { command: id, robot: &raw.robot, mission: raw.mission_id.as_ref(), frame };
        let args = ReasonArgs {
            field: Some(rejection.field.to_owned()),
            expected: Some(rejection.expected.clone().into()),
            ..ReasonArgs::default()
        };
        Self::bare(subject, limits, state, now, Overall::Deny).refuse(rejection.reason, args)
    }
}

/// Version 5 of the command's id over snapshot and time: equal inputs give equal ids.
fn verdict_id(command: CommandId, snapshot_seq: u64, now: Instant) -> VerdictId {
    let mut name = [0; 16];
    name[..8].copy_from_slice(&snapshot_seq.to_be_bytes());
    name[8..].copy_from_slice(&now.0.to_be_bytes());
    VerdictId(Uuid::new_v5(&command.0, &name))
}
