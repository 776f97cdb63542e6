//! The adapter with what it may send: velocities of admitted commands, and stops until the robot is measured to stand.

use std::time::Duration;

use bridge::ClockFn;
use robot::{ActuatorId, Command, Instant, Motion, Reason, StopMeans};
use safety::Approved;

use crate::adapter::{Adapter, Begun, Events, SetPoints, StopEvidence, StopKind};

/// A call of an adapter that takes longer has failed.
const CALL_MAX: Duration = Duration::from_millis(5);
/// One that takes this long stops the robot at once.
const CALL_HANGS: Duration = Duration::from_millis(250);
/// So many failed calls, in ticks in a row that have one, stop the robot: a tenth of a second of them.
const LATE_CALLS_MAX: u8 = 10;

/// An adapter, the only way to call it, and what is in force at the robot.
pub struct Mover<A> {
    adapter: A,
    clock: ClockFn,
    in_force: SetPoints,
    /// Rises with every new reason to stop.
    episode: u64,
    /// The stop that is repeated until standstill is measured.
    stopping: Option<StopKind>,
    evidence: StopEvidence,
    /// The time at which a stop was first known to have left, of those that are repeated without a motion in between.
    left: Option<Instant>,
    /// The means of stopping that is tried alone; nothing else is sent meanwhile.
    trial: Option<StopMeans>,
    /// Nothing is sent until the next motion or stop.
    silent: bool,
    /// Calls that took too long, in ticks in a row that had one.
    late_calls: u8,
    /// This tick has had one.
    is_late: bool,
}

impl<A: Adapter> Mover<A> {
    /// Sends nothing before it is told to.
    pub fn new(adapter: A, clock: ClockFn) -> Self {
        Self {
            adapter,
            clock,
            in_force: SetPoints::default(),
            episode: 0,
            stopping: None,
            evidence: StopEvidence::Waiting,
            left: None,
            trial: None,
            silent: false,
            late_calls: 0,
            is_late: false,
        }
    }

    /// The adapter.
    pub const fn adapter(&self) -> &A {
        &self.adapter
    }

    #[cfg(test)]
    pub const fn adapter_mut(&mut self) -> &mut A {
        &mut self.adapter
    }

    /// The stop that is repeated.
    pub const fn stopping(&self) -> Option<StopKind> {
        self.stopping
    }

    /// The evidence that the newest stop has reached the robot.
    pub const fn evidence(&self) -> StopEvidence {
        self.evidence
    }

    /// The time from which a measured standstill is one of the stop that is repeated; none before it has left.
    pub const fn left(&self) -> Option<Instant> {
        self.left
    }

    /// True once if calls took too long so often that the robot must stop.
    pub fn hangs(&mut self) -> bool {
        let hangs = self.late_calls >= LATE_CALLS_MAX;
        if hangs {
            self.late_calls = 0;
        }
        hangs
    }

    /// Everything that has come from the robot: the first call of a tick.
    pub fn poll(&mut self, now: Instant) -> Events {
        // By the tick, because a quick call between slow ones makes up for none of them.
        if !std::mem::take(&mut self.is_late) {
            self.late_calls = 0;
        }
        self.call(|adapter| adapter.poll(now)).0
    }

    /// Begins an admitted motion; a stop is no longer repeated.
    pub fn begin(&mut self, approved: Approved<Command>, now: Instant) -> Begun {
        if !self.adapter.moves(&approved.command().actuator) {
            return Begun::Refused(Reason::UnknownActuator);
        }
        // Whatever becomes of the new motion, the one before it is not refreshed any more.
        self.in_force.remove(&approved.command().actuator);
        self.silent = false;
        self.trial = None;
        // The message may leave even if the motion is refused: a standstill of before says nothing any more.
        self.left = None;
        let (begun, is_late) = self.call(|adapter| adapter.begin(&approved, now));
        // The message may have left all the same: the caller holds the robot after a refusal.
        if is_late {
            return Begun::Refused(Reason::Deadline);
        }
        if begun == Begun::Running {
            self.stopping = None;
            // Goals and switches act once; sending them again would begin them again.
            if matches!(approved.command().motion, Motion::Velocity { .. }) {
                self.in_force.put(approved);
            }
        }
        begun
    }

    /// Sends the stop at once, and again until [`Mover::rest`].
    pub fn stop(&mut self, kind: StopKind, now: Instant) {
        self.episode += 1;
        self.silent = false;
        self.trial = None;
        self.in_force.clear();
        if self.stopping.is_none() {
            self.left = None;
        }
        // A hold that comes during a stop does not soften it.
        self.stopping = self.stopping.max(Some(kind));
        // The robot's answer to an earlier stop says nothing about this one.
        self.evidence = StopEvidence::Waiting;
        // At once, and not only with the next tick.
        self.send_stop(now);
    }

    /// Sends the stop that is repeated, if it is due: for a copy of the message that has begun it, which is no new
    /// reason to stop.
    pub fn stop_again(&mut self, now: Instant) {
        self.send_stop(now);
    }

    /// Sends the stop at once, and again only if a latch wants it: somebody else moves the robot now.
    pub fn stop_once(&mut self, now: Instant) {
        self.stop(StopKind::Hold, now);
        self.stopping = self.stopping.filter(|kind| *kind == StopKind::Stop);
    }

    /// Sends one means of stopping alone, and nothing else, until the next motion or stop.
    pub fn try_alone(&mut self, means: StopMeans, now: Instant) {
        self.episode += 1;
        self.in_force.clear();
        // A stop beside it would hide what this means does alone (decision 0190).
        self.stopping = None;
        self.evidence = StopEvidence::Waiting;
        self.trial = Some(means);
        self.send_trial(now);
    }

    /// True if the robot has answered the newest stop, or the means that is tried.
    pub fn is_answered(&self) -> bool {
        self.evidence == StopEvidence::RobotAnswered
    }

    /// Names of what is to answer the newest stop at the robot and has not.
    pub fn unanswered(&self) -> Vec<String> {
        self.adapter.unanswered()
    }

    /// Sends nothing at all until the next motion or stop.
    pub fn fall_silent(&mut self) {
        self.trial = None;
        self.in_force.clear();
        self.stopping = None;
        self.silent = true;
        self.call(Adapter::fall_silent);
    }

    /// True while nothing is sent on purpose, or one means alone.
    pub const fn is_silent(&self) -> bool {
        self.silent || self.trial.is_some()
    }

    /// The robot stands.
    pub fn rest(&mut self) {
        self.stopping = None;
    }

    /// The motion of this actuator is over.
    pub fn end(&mut self, actuator: &ActuatorId) {
        self.in_force.remove(actuator);
    }

    /// Sends what has to be sent again: the stop, else the velocities that are in force.
    pub fn go_on(&mut self, now: Instant) {
        // A stop and a velocity in one tick would compete at the robot.
        if self.stopping.is_some() {
            return self.send_stop(now);
        }
        if self.silent {
            return;
        }
        if self.trial.is_some() {
            return self.send_trial(now);
        }
        let in_force = std::mem::take(&mut self.in_force);
        self.call(|adapter| adapter.refresh(&in_force, now));
        self.in_force = in_force;
    }

    fn send_trial(&mut self, now: Instant) {
        let Some(means) = self.trial.clone() else { return };
        let episode = self.episode;
        let (evidence, _) = self.call(|adapter| adapter.stop_by(&means, episode, now));
        self.evidence = self.evidence.max(evidence);
    }

    fn send_stop(&mut self, now: Instant) {
        let Some(kind) = self.stopping else { return };
        let episode = self.episode;
        let (evidence, _) = self.call(|adapter| adapter.stop(kind, episode, now));
        self.evidence = self.evidence.max(evidence);
        if self.evidence > StopEvidence::Waiting {
            self.left.get_or_insert(now);
        }
    }

    /// Calls the adapter; true if that took longer than it may.
    fn call<T>(&mut self, call: impl FnOnce(&mut A) -> T) -> (T, bool) {
        let began = (self.clock)().station;
        let answer = call(&mut self.adapter);
        let took = (self.clock)().station.since(began);
        let is_late = took > CALL_MAX;
        // A call that hangs counts as ten late ones: the robot was without its gate for as long.
        let more = if took >= CALL_HANGS { LATE_CALLS_MAX } else { 1 };
        if is_late {
            self.is_late = true;
            self.late_calls = self.late_calls.saturating_add(more);
        }
        (answer, is_late)
    }
}
