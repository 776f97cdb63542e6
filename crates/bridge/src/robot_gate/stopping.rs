//! Stops and holds at the gate: whoever asks for one, the robot stands.

use robot::Instant;

use super::{Admit, GateState, OwnState};
use crate::envelope::{GateFault, StopMessage, StoppedBy};

impl GateState {
    pub(super) fn admit_stop(&mut self, stop: StopMessage) -> Admit {
        self.memory.open(stop.station, stop.stop_id);
        self.set_points.clear();
        Admit::Stop
    }

    pub(super) fn admit_strangers_stop(&mut self, stop: StopMessage) -> Admit {
        self.memory.open_for_strangers(stop.station, stop.stop_id);
        self.set_points.clear();
        Admit::Stop
    }

    /// A stop of somebody who did not say who it is: the same bytes again are the same stop again.
    pub(super) fn admit_unread_stop(&mut self, payload: &[u8]) -> Admit {
        self.memory.open_unread(payload);
        self.set_points.clear();
        Admit::Stop
    }

    /// Ends the stop of strangers for a person with the robot's pendant, who sees that it stands and why. True if there
    /// was one.
    pub fn release_strangers(&mut self, own: &OwnState, now: Instant) -> bool {
        own.local && own.stands(now) && self.memory.end_strangers()
    }

    /// Latches for a failure of the gate or of the robot's own program.
    pub fn latch_fault(&mut self, fault: GateFault) {
        self.memory.latch(StoppedBy::Fault(fault));
        self.set_points.clear();
    }

    pub(super) fn admit_hold(&mut self) -> Admit {
        self.set_points.clear();
        Admit::Hold
    }
}
