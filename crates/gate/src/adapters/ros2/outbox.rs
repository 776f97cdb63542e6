//! Messages that wait to be sent to the robot. The deciding thread only puts them here.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::arm::Trajectory;
use super::goals::GoalId;
use super::message::{PlainPose, Twist};
use crate::adapter::StopSender;
use crate::adapters::ros2::discovery::graph::TwistType;

/// The first episode of stops that are sent without the adapter; after each motion they have the next one below.
// Episodes of the adapter count up from 1 and never come so far.
const WITHOUT_ADAPTER: u64 = u64::MAX;

/// Goals that are to end and wait for it: further ones come again.
const ENDS_MAX: usize = 16;

/// A goal on its way to the action server.
#[derive(Debug, Clone, PartialEq)]
pub struct Going {
    /// Its identity.
    pub goal: GoalId,
    /// The robot's place at its end.
    pub target: Target,
}

/// The target of a goal.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A pose of a base.
    Pose {
        /// Its frame.
        frame: String,
        /// The place to go to.
        pose: PlainPose,
        /// Largest speed on the way, metres per second.
        speed_mps: f64,
    },
    /// Positions of joints.
    Joints(Trajectory),
}

/// The calls that belong to a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calls {
    /// The stop.
    pub episode: u64,
    /// The services and actions.
    pub which: Called,
}

/// Services and actions that a stop calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Called {
    /// The action that moves the robot to goals.
    Goals,
    /// Every one of the wiring.
    All,
    /// The one at this place of [`super::Ros2Wiring::called_means`].
    Only(usize),
}

impl Called {
    /// True of the call at `place`, which may be that of the action that moves the robot.
    pub const fn concerns(self, place: usize, is_of_goals: bool) -> bool {
        match self {
            Self::Goals => is_of_goals,
            Self::All => true,
            Self::Only(only) => place == only,
        }
    }
}

/// The work of the thread that calls services and actions.
#[derive(Debug, Default, PartialEq)]
pub struct Errand {
    /// Services and actions that have not answered this stop yet.
    pub calls: Option<Calls>,
    /// Number of the stop whose cancellation of every goal is due.
    pub cancel: Option<u64>,
    /// Goals that are to be cancelled alone.
    pub ends: BTreeSet<GoalId>,
    /// A goal to be sent, after everything else.
    pub goal: Option<Going>,
}

/// Everything that waits.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<State>,
    more: Condvar,
    calls: Condvar,
}

#[derive(Debug, Default)]
struct State {
    twist: Option<Twist>,
    /// Stops that were asked for, and those of them that have left.
    asked: u64,
    left: u64,
    is_stop_due: bool,
    errand: Errand,
    /// The newest stop whose cancellation of every goal has left.
    cancelled: u64,
    answered: Option<u64>,
    /// Motions that have begun.
    motions: u64,
    /// Names of the calls that had not answered at the last look, and the stop that they belong to.
    open: Option<(Calls, Vec<String>)>,
    lock: Option<bool>,
    listeners: Option<BTreeSet<TwistType>>,
    has_failed: bool,
    closed: bool,
    #[cfg(test)]
    waits: bool,
    #[cfg(test)]
    handed_out: u64,
}

/// The next message on the way of velocities.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// The types that the robot listens for have changed.
    Listeners(BTreeSet<TwistType>),
    /// Zeros, and the number under which they were asked for.
    Zeros(u64),
    /// State of the lock.
    Lock(bool),
    /// A velocity.
    Twist(Twist),
}

impl State {
    /// The stop is over: nothing more of it is called.
    fn end_stop(&mut self) {
        self.errand.calls = None;
        self.errand.cancel = None;
        self.motions += 1;
    }

    fn next(&mut self) -> Option<Next> {
        // Before the look at `closed`: zeros that wait leave even at the end.
        if std::mem::take(&mut self.is_stop_due) {
            return Some(Next::Zeros(self.asked));
        }
        if self.closed {
            return None;
        }
        let listeners = self.listeners.take().map(Next::Listeners);
        let lock = || self.lock.take().map(Next::Lock);
        listeners.or_else(lock).or_else(|| self.twist.take().map(Next::Twist))
    }

    #[cfg(test)]
    fn note(&mut self, next: Option<&Next>) {
        self.waits = next.is_none();
        self.handed_out += u64::from(matches!(next, Some(Next::Zeros(_) | Next::Twist(_))));
    }
}

impl Outbox {
    /// A velocity, in the place of one that waits. False if nothing is sent any more.
    pub fn twist(&self, twist: Twist) -> bool {
        let mut state = self.state();
        if state.closed {
            return false;
        }
        state.twist = Some(twist);
        drop(state);
        self.more.notify_one();
        true
    }

    /// The first velocity of a motion: the stop before it is over.
    pub fn begin(&self, twist: Twist) -> bool {
        self.state().end_stop();
        self.twist(twist)
    }

    /// A goal, in the place of every motion that waits; the stop before it is over. False if nothing is sent any more.
    pub fn go(&self, going: Going) -> bool {
        let mut state = self.state();
        if state.closed {
            return false;
        }
        state.end_stop();
        // A velocity that still waits would compete with the goal.
        state.twist = None;
        state.errand.goal = Some(going);
        drop(state);
        self.calls.notify_one();
        true
    }

    /// Takes back a goal that still waits to be sent; false if it does not.
    pub fn take_back(&self, goal: GoalId) -> bool {
        self.state().errand.goal.take_if(|going| going.goal == goal).is_some()
    }

    /// This goal is to end, whatever becomes of others.
    pub fn end(&self, goal: GoalId) {
        let mut state = self.state();
        if state.errand.ends.len() < ENDS_MAX {
            state.errand.ends.insert(goal);
        }
        drop(state);
        self.calls.notify_one();
    }

    /// Zeros, in the place of every motion that waits, and their number. `calls` names the services and actions that
    /// are called too; with `cancels` every goal is cancelled, however often that was answered.
    pub fn stop(&self, calls: Option<Calls>, cancels: bool) -> u64 {
        let mut state = self.state();
        state.twist = None;
        // A goal that was not sent must not follow the stop.
        state.errand.goal = None;
        state.asked += 1;
        state.is_stop_due = true;
        let number = state.asked;
        let answered = state.answered;
        if let Some(calls) = calls.filter(|calls| Some(calls.episode) != answered) {
            state.errand.calls = Some(calls);
        }
        if cancels {
            state.errand.cancel = Some(number);
        }
        drop(state);
        self.more.notify_one();
        self.calls.notify_one();
        number
    }

    /// Calls these services and actions, beside whatever else is sent.
    pub fn call(&self, calls: Calls) {
        let mut state = self.state();
        if Some(calls.episode) != state.answered {
            state.errand.calls = Some(calls);
        }
        drop(state);
        self.calls.notify_one();
    }

    /// State of the lock.
    pub fn lock(&self, is_locked: bool) {
        self.state().lock = Some(is_locked);
        self.more.notify_one();
    }

    /// The types that the robot listens for.
    pub fn listeners(&self, types: BTreeSet<TwistType>) {
        self.state().listeners = Some(types);
        self.more.notify_one();
    }

    /// The next message; waits for one. None once it is closed and no stop waits.
    pub fn next(&self) -> Option<Next> {
        let mut state = self.state();
        loop {
            let next = state.next();
            #[cfg(test)]
            state.note(next.as_ref());
            if next.is_some() || state.closed {
                return next;
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The stop of this number has left.
    pub fn has_left(&self, number: u64) {
        let mut state = self.state();
        state.left = state.left.max(number);
    }

    /// True if a stop of this number, or a later one, has left.
    pub fn left(&self, number: u64) -> bool {
        self.state().left >= number
    }

    /// The work that is due; waits so long for some beside the calls that are `known`. `Err` once it is closed.
    pub fn errand(&self, known: Option<Calls>, within: Duration) -> Result<Errand, Closed> {
        let state = self.state();
        let waits = |state: &mut State| {
            let Errand { calls, cancel, ends, goal } = &state.errand;
            let is_new = calls.is_some() && *calls != known;
            !(is_new || cancel.is_some() || goal.is_some() || !ends.is_empty() || state.closed)
        };
        let (mut state, _) =
            self.calls.wait_timeout_while(state, within, waits).unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return Err(Closed);
        }
        // Calls stay until they are answered; everything else is handed over once.
        let calls = state.errand.calls;
        let errand = std::mem::take(&mut state.errand);
        state.errand.calls = calls;
        Ok(errand)
    }

    /// The cancellation of every goal that belongs to this stop has left.
    pub fn has_cancelled(&self, number: u64) {
        let mut state = self.state();
        state.cancelled = state.cancelled.max(number);
    }

    /// True if the cancellation that belongs to this stop, or to a later one, has left.
    pub fn cancelled(&self, number: u64) -> bool {
        self.state().cancelled >= number
    }

    /// Everything that was called in this episode has answered that it stops.
    pub fn answered(&self, episode: u64) {
        let mut state = self.state();
        state.answered = Some(episode);
        state.errand.calls = state.errand.calls.filter(|calls| calls.episode != episode);
    }

    /// True if the stop of this episode was answered.
    pub fn is_answered(&self, episode: u64) -> bool {
        self.state().answered == Some(episode)
    }

    /// These have not answered yet.
    pub fn note_open(&self, calls: Calls, names: Vec<String>) {
        self.state().open = Some((calls, names));
    }

    /// Names of what is called for the stop under way and has not answered: those of `all` before the first look at
    /// them.
    pub fn unanswered(&self, all: impl FnOnce(Called) -> Vec<String>) -> Vec<String> {
        let state = self.state();
        let Some(calls) = state.errand.calls else { return Vec::new() };
        match &state.open {
            Some((of, names)) if *of == calls => names.clone(),
            Some(_) | None => all(calls.which),
        }
    }

    /// A message was not taken.
    pub fn fail(&self) {
        self.state().has_failed = true;
    }

    /// True once after a message was not taken.
    pub fn failed(&self) -> bool {
        std::mem::take(&mut self.state().has_failed)
    }

    /// Takes nothing in any more.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        drop(state);
        self.more.notify_one();
        self.calls.notify_one();
    }

    /// True if nothing waits to be sent, and the sending thread waits for more.
    #[cfg(test)]
    pub fn is_idle(&self) -> bool {
        let state = self.state();
        state.waits && state.twist.is_none() && !state.is_stop_due && state.lock.is_none()
    }

    /// True if nothing waits for the sending thread.
    #[cfg(test)]
    pub fn is_still(&self) -> bool {
        let state = self.state();
        state.twist.is_none() && !state.is_stop_due && state.lock.is_none()
    }

    /// Twists that were handed to the sending thread.
    #[cfg(test)]
    pub fn handed_out(&self) -> u64 {
        self.state().handed_out
    }

    /// True while services are to be called.
    #[cfg(test)]
    pub fn is_calling(&self) -> bool {
        self.state().errand.calls.is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outbox is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

impl StopSender for Outbox {
    fn send(&self) {
        self.lock(true);
        // What has answered such a stop before is called again if the robot has moved since.
        let episode = WITHOUT_ADAPTER - self.state().motions;
        self.stop(Some(Calls { episode, which: Called::All }), true);
    }
}

#[cfg(test)]
mod tests;
