//! Checks of the robot's measurements before anything moves: every source that its manifest declares has to be heard,
//! and the robot's speed has to be known.

use robot::{Motion, Reason, StateKind};

use super::checks::Checks;
use crate::measured::sources::pose_age_ms_max;
use crate::{NotFresh, ReasonArgs, Silent};

impl Checks<'_> {
    /// Refuses motion while a declared source is silent or stale, or while the robot's speed is unknown.
    pub(super) fn check_sources(&mut self) {
        let (limits, state, now) = (self.limits, self.state, self.now);
        // Any declared source, also one that this motion does not read (decision 0090).
        for silent in state.heard.silent(&limits.manifest, now) {
            // The check of the motion refuses the same source in more detail; twice would be two violations.
            if !self.is_said_by_the_motion(&silent) {
                let (code, expected) = denial(&silent);
                let (age_ms, age_ms_max) = match silent.problem {
                    NotFresh::Never => (None, None),
                    NotFresh::Aged { age_ms, age_ms_max } => (Some(age_ms), Some(age_ms_max)),
                };
                let expected = expected.map(Into::into);
                self.refuse(code, ReasonArgs { expected, age_ms, age_ms_max, ..ReasonArgs::default() });
            }
        }
        // The stopping distance needs the greatest speed, and poses show only the least (decision 0103).
        if self.command.motion.is_through_space() && state.speeds.known(&limits.manifest, now).is_none() {
            self.refuse_expected(Reason::NotProvable, "a measured speed");
        }
    }

    /// True if the motion itself needs this source and is refused for lack of it.
    fn is_said_by_the_motion(&self, silent: &Silent<'_>) -> bool {
        let joints_age_ms_max = silent.source.max_age_ms;
        match silent.source.kind {
            StateKind::Pose => {
                let starts_from_it = silent.is_first_pose && self.command.motion.is_through_space();
                starts_from_it && self.state.pose.get(self.now, pose_age_ms_max(&self.limits.manifest)).is_err()
            }
            StateKind::Joints => {
                let is_joint_goal = matches!(self.command.motion, Motion::Joints { .. });
                is_joint_goal && self.state.joints.get(self.now, joints_age_ms_max).is_err()
            }
            StateKind::Velocity | StateKind::Force | StateKind::Frame => false,
        }
    }
}

fn denial(silent: &Silent<'_>) -> (Reason, Option<&'static str>) {
    match silent.source.kind {
        StateKind::Pose if silent.is_first_pose => (Reason::NoFreshPose, None),
        StateKind::Pose => (Reason::NotProvable, Some("fresh samples of its second pose")),
        StateKind::Velocity => (Reason::NotProvable, Some("fresh samples of its velocity")),
        StateKind::Joints => (Reason::NotProvable, Some("fresh samples of its joints")),
        StateKind::Force => (Reason::NotProvable, Some("fresh samples of its force")),
        StateKind::Frame => (Reason::StaleTransform, None),
    }
}
