//! Being locked: by what, also after a restart, and how an administrator ends it.

use robot::Instant;

use super::{ActiveCause, CauseSet, Clears, Inputs, RobotSafety, Severity, State, Times};

impl RobotSafety {
    /// A robot that an earlier run of the station has left locked by `causes`. Nothing else is known of it.
    #[must_use]
    pub fn locked_out(causes: CauseSet, now: Instant) -> Self {
        let left = |cause| ActiveCause { of_earlier_run: true, ..ActiveCause::new(cause, Severity::Lockout, now) };
        Self { state: State::Lockout, causes: causes.iter().map(left).collect(), ..Self::new(now) }
    }

    /// The causes that keep the robot locked; none if it is not.
    #[must_use]
    pub fn locked_by(&self) -> CauseSet {
        self.causes.iter().filter(|active| active.severity == Severity::Lockout).map(|active| active.cause).collect()
    }

    /// True if an administrator can end the lockout: the robot stands still, and every fault is over. A person's stop
    /// does not speak against it: it outlasts the lockout, and is released after it.
    #[must_use]
    pub fn can_be_recommissioned(&self, still: bool, times: Times, now: Instant) -> bool {
        let over = |active: &ActiveCause| match active.cause.rule().clears {
            Clears::OnRelease => true,
            // The restart has been: it came with the corrected configuration, or the cause is back by now.
            Clears::Never => active.of_earlier_run && active.is_gone(times, now),
            Clears::WhenConditionClears | Clears::OnAcknowledge | Clears::OnDisarm => active.is_gone(times, now),
        };
        self.state == State::Lockout && still && self.causes.iter().all(over)
    }

    /// A person with the right to it starts the robot's record anew; what is still wrong keeps it locked.
    pub(super) fn recommission(&mut self, inputs: &Inputs, now: Instant) {
        if !self.can_be_recommissioned(inputs.still, inputs.times, now) {
            return;
        }
        // What is present now is a person's stop, or it could not be recommissioned.
        self.causes.retain(|active| active.is_present());
        // The record begins anew, so an old breach does not make the next one a repeat.
        self.breach_cleared = None;
        // Never to Armed: being put into service again is no permission to move.
        self.enter(if self.causes.is_empty() { State::Disarmed } else { State::SafeStop }, now);
    }
}
