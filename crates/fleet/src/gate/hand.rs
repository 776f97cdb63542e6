//! The velocities of a hand that drives a robot.

use robot::{Motion, RawMotion, Reason};
use safety::Wish;

use super::{For, judged};
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::state::submission::Submission;

/// `submission` as it is judged and sent: if a hand says it, and nothing but the change from the last velocity may speak
/// against it, as near to it as that change allows. Called in the robot's turn: what it was told last stays that until this is
/// sent.
pub(super) fn eased(fleet: &Fleet, unit: &RobotHandle, submission: Submission, seq: u64) -> Submission {
    if !submission.by_hand {
        return submission;
    }
    let wished = judged(fleet, unit, &submission, seq, For::Answer);
    let violated = wished.explanation.iter().map(|row| &row.item).filter(|item| item.is_violated());
    if violated.clone().any(|item| item.reason.code != Reason::Acceleration) {
        return submission;
    }
    let Some(command) = wished.parsed else { return submission };
    let Motion::Velocity { linear_mps, .. } = command.motion else { return submission };
    let (limits, state, now) = (unit.limits.load_full(), unit.robot_state(), fleet.runtime.clock.now().station);
    let wish = Wish { actuator: &command.actuator, frame: &command.frame, linear_mps };
    let linear_mps = limits.eased(&state, wish, now).to_vec();
    let mut eased = submission;
    if let RawMotion::Velocity(velocity) = &mut eased.raw.motion {
        velocity.linear_mps = linear_mps;
    }
    eased
}
