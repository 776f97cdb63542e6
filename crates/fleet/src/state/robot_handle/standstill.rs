//! Standstill of a robot by everything that measures it: its speed, its rate of turn, its poses, and its gate.

use robot::{Instant, StateKind};
use safety::GATE_AGE_MS_MAX;

use super::RobotHandle;
use runtime::lock::lock;

impl RobotHandle {
    /// True if the robot is measured to stand still; one of switches alone always does.
    pub fn is_still(&self, now: Instant) -> bool {
        self.standstill(now) == Some(true)
    }

    /// True if the robot stands still, none if that is unknown; one of switches alone always does. Its poses can show
    /// that it does not, whatever its velocity source and its gate say; only those two can show that it does.
    pub fn standstill(&self, now: Instant) -> Option<bool> {
        if self.manifest.switches_only() {
            return Some(true);
        }
        let speed = self.measured_speed_mps(now);
        match self.moved_by_poses(now).max(self.turned_at(now)) {
            Some(_) => Some(false),
            None => speed.map(|speed| self.stands_at(speed.value)),
        }
    }

    /// When the robot was last seen to move, by its speed or by its poses, if one of them says so now. A robot of which
    /// nothing is known is not said to move: its link or its sensor is what is wrong.
    pub(crate) fn moved_at(&self, now: Instant) -> Option<Instant> {
        if self.manifest.switches_only() {
            return None;
        }
        let moves = self.measured_speed_mps(now).filter(|speed| !self.stands_at(speed.value));
        moves.map(|speed| speed.observed).max(self.moved_by_poses(now)).max(self.turned_at(now))
    }

    /// When it was last measured to turn, by its velocity sources or by its gate, if one of them says so now. A base that
    /// spins in place has no speed.
    fn turned_at(&self, now: Instant) -> Option<Instant> {
        let source = self.manifest.state_source(StateKind::Velocity);
        let turn = self.measurements().turn_radps.clone();
        let turn = source.and_then(|source| turn.measured(now, source.max_age_ms).ok().cloned());
        let turned = turn.filter(|turn| self.manifest.turns_at(turn.value)).map(|turn| turn.observed);
        let gate = self.control().beats.stands.clone();
        let gate =
            gate.measured(now, GATE_AGE_MS_MAX).ok().filter(|stands| !stands.value).map(|stands| stands.observed);
        turned.max(gate)
    }

    fn moved_by_poses(&self, now: Instant) -> Option<Instant> {
        lock(&self.history).moved_at(&self.limits.load(), now)
    }

    fn stands_at(&self, speed_mps: f64) -> bool {
        speed_mps.abs() <= self.manifest.stop.standstill_mps
    }
}
