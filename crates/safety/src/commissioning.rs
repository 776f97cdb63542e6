//! The part of commissioning in the judgement: what a robot may do that was not commissioned, that is being commissioned,
//! and that keeps moving when its gate dies.

use robot::{Command, Motion, Reason, Source};
use serde::{Deserialize, Serialize};

/// The fastest motion of commissioning, metres per second.
const SPEED_MPS_MAX: f64 = 0.2;
/// The fastest turn, radians per second.
const TURN_RADPS_MAX: f64 = 0.3;
/// The fastest joint, radians or metres per second.
const JOINT_SPEED_MAX: f64 = 0.1;

/// Motion that a robot's commissioning leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Commissioning {
    /// All that the limits allow: it is complete, or the robot needs none.
    #[default]
    Complete,
    /// None: a step is missing.
    Missing,
    /// The slow motion of a step, by a person.
    UnderWay,
    /// No velocities, because the robot keeps moving when its gate dies, and goals only if a living screen must exist.
    KeepsMoving {
        /// A living screen must exist.
        supervised: bool,
    },
}

impl Commissioning {
    /// True if it leaves all that the limits allow.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        match self {
            Self::Complete => true,
            Self::Missing | Self::UnderWay | Self::KeepsMoving { .. } => false,
        }
    }

    /// The reason why it does not leave `command`, with what it leaves instead.
    pub(crate) fn objection(self, command: &Command) -> Option<(Reason, &'static str)> {
        match self {
            Self::Complete => None,
            Self::Missing => Some((Reason::NotCommissioned, "a commissioning that is complete")),
            Self::UnderWay => {
                let is_step = is_slow(&command.motion) && matches!(command.source, Source::Person(_));
                (!is_step).then_some((Reason::NotCommissioned, "a slow motion of a person, as a step needs it"))
            }
            Self::KeepsMoving { supervised } => match command.motion {
                Motion::Velocity { .. } => Some((Reason::KeepsMoving, "a goal")),
                Motion::PoseGoal { .. }
                | Motion::Path { .. }
                | Motion::Joints { .. }
                | Motion::Gripper { .. }
                | Motion::Switch { .. }
                | Motion::Escape { .. } => (!supervised).then_some((Reason::KeepsMoving, "supervision: required")),
            },
        }
    }
}

/// True of a motion that commissioning may command; what is no number is too fast.
fn is_slow(motion: &Motion) -> bool {
    let length = |parts: &[f64; 3]| parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    match motion {
        Motion::Velocity { linear_mps, angular_radps } => {
            length(linear_mps) <= SPEED_MPS_MAX && length(angular_radps) <= TURN_RADPS_MAX
        }
        Motion::Joints { speed_radps, .. } => speed_radps.is_some_and(|speed| speed <= JOINT_SPEED_MAX),
        Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Gripper { .. } => false,
        Motion::Switch { .. } | Motion::Escape { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::fixtures::*;
    use crate::judge;

    /// The reasons of a denial.
    fn refused(commissioning: Commissioning, motion: Value) -> Vec<Reason> {
        let scene = scene();
        let state = crate::RobotState { commissioning, ..scene.state.clone() };
        let command = scene.command(motion);
        let limits = crate::Limits::compile(&scene.manifest, &scene.constraints, 1).unwrap();
        judge(&limits, &state, command, NOW)
            .items
            .iter()
            .filter(|item| item.is_violated())
            .map(|item| item.reason.code)
            .collect()
    }

    fn objects(commissioning: Commissioning, motion: Value) -> bool {
        let reasons = refused(commissioning, motion);
        reasons.contains(&Reason::NotCommissioned) || reasons.contains(&Reason::KeepsMoving)
    }

    #[test]
    fn rg_30_without_commissioning_nothing_moves_and_under_way_only_what_is_slow() {
        assert!(!objects(Commissioning::Complete, velocity([0.5, 0.0, 0.0], [0.0; 3])));
        for motion in [velocity([0.01, 0.0, 0.0], [0.0; 3]), goal([0.1; 3], 0.1), switch()] {
            assert_eq!(refused(Commissioning::Missing, motion)[0], Reason::NotCommissioned);
        }
        let under_way = |motion| objects(Commissioning::UnderWay, motion);
        assert!(!under_way(velocity([0.2, 0.0, 0.0], [0.0; 3])));
        assert!(under_way(velocity([0.2, 0.01, 0.0], [0.0; 3])), "0.2 m/s whatever the manifest allows");
        assert!(!under_way(velocity([0.0; 3], [0.0, 0.0, 0.3])) && under_way(velocity([0.0; 3], [0.0, 0.0, 0.31])));
        assert!(under_way(goal([0.1; 3], 0.1)) && under_way(switch()));
        assert!(!is_slow(&Motion::Velocity { linear_mps: [f64::NAN, 0.0, 0.0], angular_radps: [0.0; 3] }));
    }

    #[test]
    fn rg_30_no_agent_moves_a_robot_that_is_being_commissioned() {
        let scene = scene();
        let command = scene.command(velocity([0.05, 0.0, 0.0], [0.0; 3]));
        assert_eq!(Commissioning::UnderWay.objection(&command), None);
        let mut by_agent = command;
        by_agent.source = Source::Agent;
        assert_eq!(
            Commissioning::UnderWay.objection(&by_agent).map(|(reason, _)| reason),
            Some(Reason::NotCommissioned)
        );
    }

    #[test]
    fn rg_32_a_robot_that_keeps_moving_takes_goals_alone_and_those_under_supervision() {
        let supervised = Commissioning::KeepsMoving { supervised: true };
        assert!(objects(supervised, velocity([0.05, 0.0, 0.0], [0.0; 3])));
        assert!(!objects(supervised, goal([0.1; 3], 0.1)));
        assert!(objects(Commissioning::KeepsMoving { supervised: false }, goal([0.1; 3], 0.1)));
    }
}
