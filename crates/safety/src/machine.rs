//! The state machine of one robot: what is wrong and what a person did go in, its state and what to do come out.
//! Only [`State::Armed`] lets motion pass. Severity rises by itself and falls only through the clear conditions.

mod cause;
mod lockout;

use std::time::Duration;

use arrayvec::ArrayVec;
use robot::Instant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::fallback::FallbackClass;

pub use cause::{CauseRule, CauseSet, Clears, SafetyCause, Scope, Severity};

/// A cause that returns this soon after it was gone was not solved.
const FLAPPING_WITHIN: Duration = Duration::from_secs(1);
/// The same breach again this soon after a person let the robot go locks it.
const REPEAT_WITHIN: Duration = Duration::from_secs(10);
/// Arming that takes so much longer than it must has failed.
const ARMING_SLACK: Duration = Duration::from_secs(9);
/// The most a step can ask for: fence, stop, latch, lockout or epoch, a fallback, alarms of the worst new causes.
const ACTIONS_MAX: usize = 8;

/// The state of a robot in this station.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "RobotStateName")]
pub enum State {
    /// No motion passes; arming enables it.
    Disarmed,
    /// Waiting for a second of unbroken answers.
    Arming,
    /// Motion that the limits allow passes.
    Armed,
    /// Motion was ended for a cause; it ends by itself or with an acknowledgement.
    Hold,
    /// Stopped and latched at the robot.
    SafeStop,
    /// Stopped until an administrator puts the robot into service again.
    Lockout,
}

/// A cause that is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveCause {
    /// The cause.
    pub cause: SafetyCause,
    /// Present severity.
    pub severity: Severity,
    /// Since when.
    pub since: Instant,
    /// Since when its condition is gone.
    gone_since: Option<Instant>,
    /// A person did what its clear condition asks for.
    answered: bool,
    /// It locked the robot in an earlier run of the station, and has not been seen since.
    of_earlier_run: bool,
}

/// Everything the machine remembers about a robot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotSafety {
    state: State,
    entered: Instant,
    motion_ended: Instant,
    epoch: u64,
    healthy_since: Option<Instant>,
    causes: ArrayVec<ActiveCause, { SafetyCause::ALL.len() }>,
    /// When a breach was last cleared; a repeat is told by it.
    breach_cleared: Option<Instant>,
    /// It was armed for nothing but leaving a place where it may not be.
    escapes: bool,
}

/// Times of the machine that a site may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Time for which a condition must be gone, and beats healthy, before anything is cleared or armed.
    pub clear_for: Duration,
    /// Longest duration of a hold whose cause escalates.
    pub hold_max: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self { clear_for: Duration::from_secs(1), hold_max: Duration::from_secs(5) }
    }
}

/// Inputs of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inputs {
    /// Causes whose condition holds now. An event is a condition that holds for one step.
    pub present: CauseSet,
    /// True while the robot answers its beats.
    pub healthy: bool,
    /// True while the robot is measured to stand still.
    pub still: bool,
    /// The newest claim of this station on the robot.
    pub epoch: u64,
    /// An act of a person, or of the station for one.
    pub act: Option<Act>,
    /// Times that the machine waits.
    pub times: Times,
}

/// Something done to a robot's state. Who may do it is checked before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Begin arming.
    Arm,
    /// Begin arming a robot that is where it may not be, for nothing but leaving that place.
    ArmToEscape,
    /// The claim on the robot, or another precondition of arming, was not confirmed.
    ArmingFailed,
    /// Name a cause whose condition is gone.
    Acknowledge(SafetyCause),
    /// End motion permission.
    Disarm {
        /// The person confirms having looked at the robot; a stop seen to work is no longer unconfirmed.
        looked: bool,
    },
    /// Put a locked robot into service again.
    Recommission,
}

/// A way of stopping a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopKind {
    /// Motion ends; nothing is latched at the robot.
    Hold,
    /// The robot's stop behaviour, latched there.
    Stop,
}

/// Urgency of an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "1 is the most urgent")]
pub enum Priority {
    P1,
    P2,
    P3,
}

/// An action that a step demands; the variants are in the order of execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Let nothing pass the fence.
    RefuseAll,
    /// Tell the robot.
    SendStop(StopKind),
    /// Make the stop outlast this process.
    PersistLatch,
    /// Make it outlast this process that the robot is locked, and by what.
    PersistLockout,
    /// Claim the robot anew: older commands are void.
    BumpEpoch,
    /// Begin what is done about such a failure.
    RunFallback(FallbackClass),
    /// Tell people.
    RaiseAlarm(SafetyCause, Priority),
}

/// The actions of one step.
pub type Actions = ArrayVec<Action, ACTIONS_MAX>;

impl ActiveCause {
    /// A cause that has come at `since`.
    const fn new(cause: SafetyCause, severity: Severity, since: Instant) -> Self {
        Self { cause, severity, since, gone_since: None, answered: false, of_earlier_run: false }
    }

    /// The act that ends it now. A stop that was confirmed late needs an acknowledgement, but no look at the robot.
    #[must_use]
    pub fn clears(&self) -> Clears {
        if self.cause == SafetyCause::StopUnconfirmed && !self.is_present() {
            return Clears::OnAcknowledge;
        }
        self.cause.rule().clears
    }

    /// True while its condition holds.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.gone_since.is_none()
    }

    fn is_gone(&self, times: Times, now: Instant) -> bool {
        self.gone_since.is_some_and(|gone| now.since(gone) >= times.clear_for)
    }

    fn is_cleared(&self, times: Times, now: Instant) -> bool {
        let gone = self.is_gone(times, now);
        match self.cause.rule().clears {
            Clears::WhenConditionClears => gone,
            Clears::OnAcknowledge | Clears::OnDisarm => gone && self.answered,
            Clears::OnRelease => self.gone_since.is_some(),
            Clears::Never => false,
        }
    }
}

impl RobotSafety {
    /// A robot of which nothing is known yet; always disarmed.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            state: State::Disarmed,
            entered: now,
            motion_ended: now,
            epoch: 0,
            healthy_since: None,
            causes: ArrayVec::new(),
            breach_cleared: None,
            escapes: false,
        }
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// True if motion may pass.
    #[must_use]
    pub fn is_armed(&self) -> bool {
        self.state == State::Armed
    }

    /// True if it is, or is being, armed for nothing but leaving a place where it may not be.
    #[must_use]
    pub fn escapes(&self) -> bool {
        self.escapes
    }

    /// The active causes in the order in which they came.
    #[must_use]
    pub fn causes(&self) -> &[ActiveCause] {
        &self.causes
    }

    /// An active cause that keeps the robot from being armed.
    #[must_use]
    pub fn keeps_disarmed(&self) -> Option<&ActiveCause> {
        self.causes.iter().find(|active| active.severity >= Severity::Hold)
    }

    /// The least epoch under which commands may pass; only rises.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Since when the robot ought to stand still, if it ought to: since motion last passed.
    #[must_use]
    pub fn still_since(&self) -> Option<Instant> {
        (self.state != State::Armed).then_some(self.motion_ended)
    }

    /// True if a hold or a stop ought to keep the robot still.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self.state, State::Hold | State::SafeStop | State::Lockout)
    }

    /// True if causes of `scope` count now.
    fn counts(&self, scope: Scope) -> bool {
        match (scope, self.state) {
            (Scope::Always, _) | (Scope::Enabled, State::Arming | State::Armed | State::Hold) => true,
            (Scope::Enabled, State::Disarmed | State::SafeStop | State::Lockout) => false,
        }
    }

    fn active(&mut self, cause: SafetyCause) -> Option<&mut ActiveCause> {
        self.causes.iter_mut().find(|active| active.cause == cause)
    }

    /// Takes up what is present; returns the causes that are new.
    fn note_present(&mut self, present: CauseSet, now: Instant) -> CauseSet {
        let mut new = CauseSet::EMPTY;
        for cause in present.iter() {
            let rule = cause.rule();
            if let Some(active) = self.active(cause) {
                let flapped = active.gone_since.is_some_and(|gone| now.since(gone) <= FLAPPING_WITHIN);
                if flapped && rule.severity == Severity::Hold && flaps(cause) {
                    active.severity = active.severity.max(Severity::SafeStop);
                }
                active.gone_since = None;
                active.answered = false;
                active.of_earlier_run = false;
            } else if self.counts(rule.scope) {
                let severity = self.severity_of(cause, now);
                self.causes.push(ActiveCause::new(cause, severity, now));
                new.set(cause, true);
            }
        }
        new
    }

    /// Severity of a cause that comes now.
    fn severity_of(&self, cause: SafetyCause, now: Instant) -> Severity {
        let repeated = self.breach_cleared.is_some_and(|at| now.since(at) <= REPEAT_WITHIN);
        if cause == SafetyCause::Breach && repeated { Severity::Lockout } else { cause.rule().severity }
    }

    /// Notes what is no longer present, and lets what lasts escalate.
    fn age(&mut self, present: CauseSet, times: Times, now: Instant) {
        let holding = self.state == State::Hold;
        for active in &mut self.causes {
            if !present.has(active.cause) {
                active.gone_since.get_or_insert(now);
            } else if holding && active.cause.rule().escalates && now.since(active.since) >= times.hold_max {
                active.severity = active.severity.max(Severity::SafeStop);
            }
        }
    }

    fn act(&mut self, act: Act, inputs: &Inputs, now: Instant) {
        match act {
            Act::Arm | Act::ArmToEscape => {
                let hindered = self.keeps_disarmed().is_some() || holds(inputs.present);
                if self.state == State::Disarmed && !hindered {
                    self.enter(State::Arming, now);
                    self.healthy_since = None;
                    self.escapes = act == Act::ArmToEscape;
                }
            }
            Act::ArmingFailed => match self.state {
                State::Arming | State::Armed => self.enter(State::Disarmed, now),
                State::Disarmed | State::Hold | State::SafeStop | State::Lockout => {}
            },
            Act::Acknowledge(cause) => {
                if let Some(active) = self.active(cause).filter(|active| !active.is_present()) {
                    active.answered |= active.clears() == Clears::OnAcknowledge;
                }
            }
            Act::Disarm { looked } => self.disarm(looked, now),
            Act::Recommission => self.recommission(inputs, now),
        }
    }

    fn disarm(&mut self, looked: bool, now: Instant) {
        for active in &mut self.causes {
            active.answered |= looked && active.cause.rule().clears == Clears::OnDisarm;
        }
        match self.state {
            State::Arming | State::Armed | State::Hold => {
                self.enter(State::Disarmed, now);
                self.causes.retain(|active| {
                    let rule = active.cause.rule();
                    let by_itself = rule.scope == Scope::Enabled && rule.clears == Clears::WhenConditionClears;
                    // A new set ends it, not the end of motion.
                    !by_itself || active.severity > Severity::Hold || active.cause == SafetyCause::SetEmptied
                });
            }
            State::Disarmed | State::SafeStop | State::Lockout => {}
        }
    }

    fn clear(&mut self, times: Times, now: Instant) {
        // A locked robot keeps its causes until it is put into service again.
        if self.state == State::Lockout {
            return;
        }
        let ends_breach = |active: &ActiveCause| active.cause == SafetyCause::Breach && active.is_cleared(times, now);
        if self.causes.iter().any(ends_breach) {
            self.breach_cleared = Some(now);
        }
        self.causes.retain(|active| !active.is_cleared(times, now));
    }

    fn worst(&self) -> Option<Severity> {
        self.causes.iter().map(|active| active.severity).max()
    }

    /// The state that follows from the causes; it rises at once and falls only when none is left.
    fn settle(&mut self, times: Times, now: Instant) {
        let worst = self.worst().filter(|worst| *worst >= Severity::Hold);
        let healthy = self.healthy_since.is_some_and(|since| now.since(since) >= times.clear_for);
        let next = match (self.state, worst) {
            (_, Some(Severity::Lockout)) => State::Lockout,
            (State::Lockout, _) => State::Lockout,
            (_, Some(Severity::SafeStop)) => State::SafeStop,
            (State::SafeStop, Some(Severity::Hold | Severity::Warn)) => State::SafeStop,
            (State::SafeStop, None) => State::Disarmed,
            (State::Armed | State::Hold, Some(Severity::Hold | Severity::Warn)) => State::Hold,
            (State::Hold, None) if healthy => State::Armed,
            (State::Hold, None) => State::Hold,
            (State::Armed, None) => State::Armed,
            (State::Arming, Some(Severity::Hold | Severity::Warn)) => State::Disarmed,
            (State::Arming, None) if now.since(self.entered) >= times.clear_for + ARMING_SLACK => State::Disarmed,
            (State::Arming, None) if healthy => State::Armed,
            (State::Arming, None) => State::Arming,
            (State::Disarmed, Some(Severity::Hold | Severity::Warn) | None) => State::Disarmed,
        };
        let gave_up = self.state == State::Arming && next == State::Disarmed;
        self.enter(next, now);
        if gave_up {
            self.causes.retain(|active| active.cause.rule().scope == Scope::Always);
        }
    }

    fn enter(&mut self, state: State, now: Instant) {
        if self.state == state {
            return;
        }
        // Nothing else lets motion pass, so a hold that becomes a stop gives no new time to come to rest.
        if self.state == State::Armed {
            self.motion_ended = now;
        }
        self.escapes &= matches!(state, State::Arming | State::Armed | State::Hold);
        self.state = state;
        self.entered = now;
    }
}

/// One step of the machine.
#[must_use]
pub fn step(safety: &RobotSafety, inputs: &Inputs, now: Instant) -> (RobotSafety, Actions) {
    let mut next = safety.clone();
    next.epoch = next.epoch.max(inputs.epoch);
    next.healthy_since = if inputs.healthy { next.healthy_since.or(Some(now)) } else { None };
    // Causes before acts: a fault and an arming in one step must not end armed.
    let new = next.note_present(inputs.present, now);
    next.age(inputs.present, inputs.times, now);
    if let Some(act) = inputs.act {
        next.act(act, inputs, now);
    }
    next.clear(inputs.times, now);
    next.settle(inputs.times, now);
    let actions = actions(safety, &mut next, new);
    (next, actions)
}

/// Actions that the transition from `before` to `after` demands.
fn actions(before: &RobotSafety, after: &mut RobotSafety, new: CauseSet) -> Actions {
    let mut actions = Actions::new();
    let enabled = |state| matches!(state, State::Arming | State::Armed);
    if enabled(before.state) && !enabled(after.state) {
        actions.push(Action::RefuseAll);
    }
    match (before.state, after.state) {
        (State::SafeStop | State::Lockout, State::SafeStop | State::Lockout) => {}
        (_, State::SafeStop | State::Lockout) => {
            actions.extend([Action::SendStop(StopKind::Stop), Action::PersistLatch]);
        }
        (State::Armed, State::Hold | State::Disarmed) => actions.push(Action::SendStop(StopKind::Hold)),
        (State::Hold, State::Armed) | (State::SafeStop | State::Lockout, State::Disarmed) => {
            after.epoch = after.epoch.saturating_add(1);
            actions.push(Action::BumpEpoch);
        }
        (
            State::Disarmed | State::Arming | State::Armed | State::Hold | State::SafeStop | State::Lockout,
            State::Disarmed | State::Arming | State::Armed | State::Hold,
        ) => {}
    }
    if !after.locked_by().is_subset(before.locked_by()) {
        actions.push(Action::PersistLockout);
    }
    let was = |cause| before.causes.iter().find(|active| active.cause == cause).map(|active| active.severity);
    // A cause that has become worse is more urgent than what people were told of it.
    let told = |active: &&ActiveCause| new.has(active.cause) || was(active.cause) < Some(active.severity);
    let mut alarms: ArrayVec<&ActiveCause, { SafetyCause::ALL.len() }> = after.causes.iter().filter(told).collect();
    alarms.sort_by_key(|active| std::cmp::Reverse(active.severity));
    if matches!(after.state, State::Hold | State::SafeStop | State::Lockout) {
        let mut begun = alarms.iter().filter(|active| new.has(active.cause));
        actions.extend(begun.find_map(|active| active.cause.fallback()).map(Action::RunFallback));
    }
    let room = actions.remaining_capacity();
    let told = alarms.into_iter().take(room);
    actions.extend(told.map(|active| Action::RaiseAlarm(active.cause, priority(active.severity))));
    actions
}

fn priority(severity: Severity) -> Priority {
    match severity {
        Severity::Warn => Priority::P3,
        Severity::Hold => Priority::P2,
        Severity::SafeStop | Severity::Lockout => Priority::P1,
    }
}

fn holds(present: CauseSet) -> bool {
    present.iter().any(|cause| cause.rule().severity >= Severity::Hold)
}

/// True if a cause that soon comes back is flapping; a repeated request, or a process that slept twice, is not.
fn flaps(cause: SafetyCause) -> bool {
    !matches!(cause, SafetyCause::HoldRequested | SafetyCause::ProcessSuspended)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
