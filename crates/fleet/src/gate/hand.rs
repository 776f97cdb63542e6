//! The velocities of a hand that drives a robot.

use robot::{Motion, RawMotion, Reason};
use safety::Wish;

use super::{For, judged};
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::state::submission::Submission;

/// `submission` as it is judged and sent. If a hand drives and only the limit of acceleration speaks against its
/// velocity, the velocity comes as near to the wish as that limit allows. Called in the robot's turn, so that the
/// last velocity sent does not change before this one is.
pub(super) fn eased(fleet: &Fleet, unit: &RobotHandle, submission: Submission, seq: u64) -> Submission {
    if !submission.by_hand {
        return submission;
    }
    let wished = judged(fleet, unit, &submission, seq, For::Answer);
    let violated = wished.explanation.iter().map(|row| &row.item).filter(|item| item.is_violated());
    // A smaller step in speed mends nothing else; with any other
    // violation the hand's own command is the one to deny.
    if violated.clone().any(|item| item.reason.code != Reason::Acceleration) {
        return submission;
    }
    let Some(command) = wished.parsed else { return submission };
    let Motion::Velocity { linear_mps, .. } = command.motion else { return submission };
    // Read again: the verdict above is an answer and keeps neither the limits nor the state it was made from.
    let (limits, state, now) = (unit.limits.load_full(), unit.robot_state(), fleet.runtime.clock.now().station);
    let wish = Wish { actuator: &command.actuator, frame: &command.frame, linear_mps };
    let linear_mps = limits.eased(&state, wish, now).to_vec();
    let mut eased = submission;
    if let RawMotion::Velocity(velocity) = &mut eased.raw.motion {
        velocity.linear_mps = linear_mps;
    }
    eased
}
