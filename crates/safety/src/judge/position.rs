//! Position of the robot and its frame: known well enough to judge by, or the reason that it is not.

use glam::DVec3;
use robot::{FrameId, Instant, Reason};

use crate::measured::fresh::is_fresh;
use crate::measured::sources::pose_age_ms_max;
use crate::space::frames::Frame;
use crate::verdict::ItemReason;
use crate::{Fresh, Limits, Measured, MovingTransform, NotFresh, Pose, ReasonArgs, RobotState};

/// The reason that a position cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PositionProblem {
    /// Nothing was measured, or that is too old, or from the future.
    NotFresh(NotFresh),
    /// Its numbers are not finite.
    NotFinite,
    /// Its frame is not connected to the set.
    UnknownFrame(FrameId),
    /// Its frame moves, and nobody knows where it is now.
    StaleTransform { frame: FrameId, age_ms: u64, age_ms_max: u64 },
}

impl From<PositionProblem> for ItemReason {
    fn from(problem: PositionProblem) -> Self {
        let aged = |age_ms, age_ms_max| ReasonArgs {
            age_ms: Some(age_ms),
            age_ms_max: Some(age_ms_max),
            ..ReasonArgs::default()
        };
        match problem {
            PositionProblem::NotFresh(NotFresh::Never) => {
                Self { code: Reason::NoFreshPose, args: ReasonArgs::default() }
            }
            PositionProblem::NotFresh(NotFresh::Aged { age_ms, age_ms_max }) => {
                Self { code: Reason::NoFreshPose, args: aged(age_ms, age_ms_max) }
            }
            PositionProblem::NotFinite => {
                let expected = Some("finite coordinates".into());
                Self { code: Reason::NoFreshPose, args: ReasonArgs { expected, ..ReasonArgs::default() } }
            }
            PositionProblem::UnknownFrame(frame) => {
                Self { code: Reason::FrameMismatch, args: ReasonArgs { frame: Some(frame), ..ReasonArgs::default() } }
            }
            PositionProblem::StaleTransform { frame, age_ms, age_ms_max } => Self {
                code: Reason::StaleTransform,
                args: ReasonArgs { frame: Some(frame), ..aged(age_ms, age_ms_max) },
            },
        }
    }
}

/// Position of the robot and its frame, or the reason that they are not known well enough.
pub(crate) fn fresh_position(
    limits: &Limits,
    state: &RobotState,
    now: Instant,
) -> Result<(DVec3, Frame), PositionProblem> {
    usable_position(limits, &state.pose, &state.transforms, now)
}

/// A measured position and its frame, or why it cannot be used.
pub(crate) fn usable_position(
    limits: &Limits,
    pose: &Fresh<Pose>,
    transforms: &[Measured<MovingTransform>],
    now: Instant,
) -> Result<(DVec3, Frame), PositionProblem> {
    let pose = pose.get(now, pose_age_ms_max(&limits.manifest)).map_err(PositionProblem::NotFresh)?;
    let position = DVec3::from_array(pose.position_m);
    // Every comparison with not-a-number fails, and this way the reason names the pose and not each limit.
    if !position.is_finite() {
        return Err(PositionProblem::NotFinite);
    }
    frame_of(limits, &pose.frame, transforms, now).map(|frame| (position, frame))
}

/// The frame of that id: one of the set, else one that a fresh moving transform connects to it.
pub(crate) fn frame_of(
    limits: &Limits,
    id: &FrameId,
    transforms: &[Measured<MovingTransform>],
    now: Instant,
) -> Result<Frame, PositionProblem> {
    // Frames of the manifest come first, so that no message can redefine a static one.
    if let Some(index) = limits.frames.index_of(id) {
        return Ok(index.into());
    }
    let mut problem = PositionProblem::UnknownFrame(id.clone());
    for transform in transforms {
        let Some(frame) = limits.frames.moving(id, &transform.value) else { continue };
        let age_ms_max = transform.value.max_age_ms;
        if is_fresh(transform.observed, now, age_ms_max) {
            return Ok(frame);
        }
        let age_ms = now.ms_since(transform.observed);
        // Goes on: another source may have published the same transform lately.
        problem = PositionProblem::StaleTransform { frame: id.clone(), age_ms, age_ms_max };
    }
    Err(problem)
}
